"""What `deploy/` and OPERATIONS tell a host to run, as nearly as it can be run without systemd and Docker."""
