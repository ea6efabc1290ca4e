"""A tournament between policies: who earns what among whom, and whether one strategy is best.

`cells` reads the runs into credits by deal, `metagame` holds the rankings as functions of a matrix, `results` puts
intervals on them, `verdict` judges, `fingerprints` tells what each policy does, `page` shows it all.
"""
