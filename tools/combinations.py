# SPDX-License-Identifier: BSD-2-Clause
"""Strategies that no preset has, for the tests: as many as one run takes, at most."""

FILTERS = ([], ["lazy"], ["loaded"], ["lazy", "loaded"])

# Trackers, filters (trim needs loaded, and bits that stay), policies.
CHOICES = [
    "+".join(["ipi", tracker, *others])
    for tracker in ("mask", "exact", "scan")
    for others in ([], ["early-ack"], ["lazy", "overlap"], ["loaded", "overlap"], ["lazy", "loaded", "overlap", "early-ack"],
                   ["lazy", "loaded", "trim", "overlap", "early-ack"])
    if "trim" not in others or tracker == "mask"
]

# Tags: one slot per CPU or six, and filters; by interrupts, and by broadcast: for some mms, and for each.
INTERRUPTS = ["+".join(["ipi", slots, *filters]) for slots in ("slots=1", "slots=6") for filters in FILTERS]
BROADCASTS = ["+".join(["invlpgb", tags, *filters]) for tags in ("global=1+threshold=1", "global=6") for filters in FILTERS]

# Who may keep a flush to itself.
ALONE = ["broadcast+active-renewed+batch=8", "broadcast+count+batch=8", "ipi+generation+active", "ipi+generation+count"]

# Choices that no preset has, or not together.
MORE = ["ipi+loaded", "ipi+lazy+loaded+trim+overlap", "ipi+lazy+ceiling=1", "ipi+early-ack", "ipi+lazy+loaded+early-ack",
        "linux-6.18+threshold=1", "invlpgb+exact+lazy+batch=8+final-only", "invlpgb+scan+loaded+global=1+growing=1+early-ack",
        "invlpgb+ceiling=4+lazy", "invlpgb+batch=8+batch-all", "ipi+generation+overlap+early-ack",
        "broadcast+final-only", "linux-arm64"]
