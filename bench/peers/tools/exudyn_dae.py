"""Exudyn on mass points and distance constraints: the trapezoidal rule on the index-2 equations, a program for
multibody systems, one trajectory at a time. The springs of four_particle would be a Python function called in every
step: left out."""

import numpy as np

from . import Method

NAME = "Exudyn"
STEPS = tuple(200 * 2**k for k in range(5))


def end_of(problem, steps, q, v):
    import exudyn
    import exudyn.itemInterface as item

    container = exudyn.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(item.ObjectGround())
    before = system.AddMarker(item.MarkerBodyPosition(bodyNumber=ground))
    nodes = []
    for k, mass in enumerate((10.0, 5.0)):
        position, velocity = q[: 3 * (k + 1)].reshape(-1, 3).sum(0), v[: 3 * (k + 1)].reshape(-1, 3).sum(0)
        node = system.AddNode(item.NodePoint(referenceCoordinates=list(position), initialVelocities=list(velocity)))
        system.AddObject(item.MassPoint(physicsMass=mass, nodeNumber=node))
        marker = system.AddMarker(item.MarkerNodePosition(nodeNumber=node))
        length = np.linalg.norm(q[3 * k : 3 * k + 3])
        system.AddObject(item.DistanceConstraint(markerNumbers=[before, marker], distance=length))
        system.AddLoad(item.Force(markerNumber=marker, loadVector=[0.0, 0.0, -9.81 * mass]))
        nodes.append(node)
        before = marker
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = problem.end
    settings.timeIntegration.generalizedAlpha.useNewmark = True
    settings.timeIntegration.generalizedAlpha.useIndex2Constraints = True
    settings.timeIntegration.newton.relativeTolerance = 1e-12
    settings.timeIntegration.newton.absoluteTolerance = 1e-12
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    system.SolveDynamic(settings)
    kinds = (exudyn.OutputVariableType.Position, exudyn.OutputVariableType.Velocity)
    first, second = (np.array([system.GetNodeOutput(node, kind) for kind in kinds]) for node in nodes)
    return np.concatenate([first, second - first], 1)


def methods(problem):
    import exudyn  # noqa: F401  # told here if it is not installed

    if problem.name != "double_spherical_pendulum":
        return []

    def prepare(steps):
        def advance(q, v):
            ends = np.array([end_of(problem, steps, *start) for start in zip(q, v)])
            return ends[:, 0], ends[:, 1], None

        return advance

    return [Method("trapezoidal rule", STEPS, prepare, most=4)]
