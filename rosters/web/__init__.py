"""What people open in a browser, by feature."""
