"""How hard the property tests try: `fast` on every change, `deep` when SPADES_DEEP is set (`make deep`).

May hold no fixture that belongs to one idea; those stand beside their tests.
"""

import os
import signal

from hypothesis import HealthCheck, settings

# A shell that runs the tests in the background has them ignore Ctrl-C, and with them all that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline in either: a busy machine must not fail a test, and examples that play whole games are slow by nature.
settings.register_profile("fast", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", parent=settings.get_profile("fast"), max_examples=2000)
settings.load_profile("deep" if os.environ.get("SPADES_DEEP") else "fast")
