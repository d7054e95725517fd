"""Beyond one machine: layers in chunks on the nodes of a Ray cluster, and independent jobs.

Ray schedules tasks, retries those whose process or node died, and moves what they share. What is done here: cut a layer into
chunks, verify what came back, and resume from the journal of the layers. Nothing imports Ray before a cluster is used.
"""
