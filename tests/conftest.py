"""Set-up for all tests."""

import signal

# In the background, some shells start processes with interrupts ignored. Child processes would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
