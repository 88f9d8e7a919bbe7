"""What holds for the whole run."""

import signal

# A shell that runs the tests in the background may have them ignore interrupts, and so every process that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
