"""Beyond one machine: layers in chunks on the nodes of a Ray cluster, and independent jobs.

Ray schedules, and says what died; files in a folder that all nodes see make the work durable. Nothing here imports Ray before a
cluster is asked for.
"""
