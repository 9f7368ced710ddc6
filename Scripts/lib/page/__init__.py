"""The tests of the page in a headless Chromium. `page_test.py` runs them."""
