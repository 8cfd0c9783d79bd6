"""Writes foucault_design.csv: a Latin hypercube of 128 pendulums (SciPy 1.17; another release may draw other points).

usage: foucault_design.py > foucault_design.csv
"""

import numpy as np
from scipy.stats import norm, qmc

unit = qmc.LatinHypercube(d=4, seed=67).random(128)
columns = {
    "system.latitude": 0.1 + 1.4 * unit[:, 0],  # rad
    "system.length": norm.ppf(unit[:, 1], loc=67.0, scale=0.2),  # m
    "system.damping": 10.0 ** (-5.0 + 1.0 * unit[:, 2]),  # 1/s
    "system.earth_rate": norm.ppf(unit[:, 3], loc=7.2921e-5, scale=1e-8),  # rad/s
}
print(",".join(columns))
for row in np.column_stack(list(columns.values())):
    print(",".join(f"{value:.10g}" for value in row))
