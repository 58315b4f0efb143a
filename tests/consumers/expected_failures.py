"""Support for known failures in other projects' test suites."""

import pytest


class ExpectedFailures:
    """Pytest plugin that expects exactly the named tests to fail, with reasons."""

    def __init__(self, reasons):
        self.reasons = reasons

    def pytest_collection_modifyitems(self, items):
        for item in items:
            reason = self.reasons.get(item.nodeid)
            if reason is not None:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
