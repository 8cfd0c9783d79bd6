"""run.tangent: derivatives by their names, of a run in memory and of one in a file."""

import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import livens as lv

names = ["initial.v[1]", "system.radius", "scheme.step"]


@pytest.fixture
def moved(circle):
    return circle.replace(observe=[{"name": "height", "expression": "2*q[1]"}], tangent={"of": names})


def test_shapes_and_labels(moved):
    run = moved.run()
    tangent = run.tangent
    assert set(tangent.data_vars) == {"final_q", "final_p", "final_v", "final_height"}
    assert tangent.final_q.sizes == {"instance": 16, "coordinate": 2, "wrt": 3}
    assert tangent.final_height.sizes == {"instance": 16, "wrt": 3}
    assert tangent.wrt.values.tolist() == names
    assert tangent.final_q.attrs["unit"] == "SI" and tangent.final_q.attrs["long_name"]
    np.testing.assert_array_equal(tangent.instance, run.instances.instance)
    np.testing.assert_array_equal(2 * tangent.final_q.isel(coordinate=1), tangent.final_height)


def test_they_are_the_slopes_of_the_final_state(moved):
    delta = 1e-5
    one = moved.replace(vary={}, size=1)
    there, back = (one.replace(initial={"v": [0.0, value]}).run().instances.final_q[0] for value in (1 + delta, 1 - delta))
    slope = one.replace(initial={"v": [0.0, 1.0]}).run().tangent.final_q.sel(wrt="initial.v[1]")[0]
    np.testing.assert_allclose(slope, (there - back) / (2 * delta), atol=1e-8)


def test_memory_and_file_are_the_same(moved, tmp_path):
    memory, file = moved.run(), moved.run(file=tmp_path / "run.h5")
    xr.testing.assert_identical(memory.tangent, file.tangent.load())
    with xr.open_dataset(tmp_path / "run.h5", group="tangent", engine="h5netcdf") as read:
        assert read.wrt.values.tolist() == names
        np.testing.assert_array_equal(read.final_q, memory.tangent.final_q)


def test_those_at_the_samples_are_those_of_runs_that_end_there(moved):
    study = moved.replace(trajectories=3, interval=None, every=4)
    run = study.run()
    samples = run.tangent.trajectories
    assert set(samples.data_vars) == {"q", "p", "v", "height"}
    assert samples.q.dims == ("trajectory", "time", "coordinate", "wrt") and samples.wrt.values.tolist() == names
    assert samples.instance.values.tolist() == [0, 1, 2] and samples.q.attrs["long_name"] == "derivatives of q"
    np.testing.assert_array_equal(samples.time, run.trajectories.time)
    for k, steps in enumerate(range(0, 12, 4)):
        if steps == 0:
            continue
        end = study.replace(scheme=study.scheme.replace(steps=steps, end=None)).run().tangent
        for name in ("q", "p", "v", "height"):
            np.testing.assert_array_equal(samples[name][:, k], end[f"final_{name}"][:3])
    np.testing.assert_array_equal(samples.q[:, -1], run.tangent.final_q[:3])


def test_samples_in_a_file_are_those_in_memory(moved, tmp_path):
    study = moved.replace(trajectories=5)
    memory, file = study.run(), study.run(file=tmp_path / "run.h5")
    xr.testing.assert_identical(memory.tangent.trajectories, file.tangent.trajectories.load())
    copy = pickle.loads(pickle.dumps(memory))
    xr.testing.assert_identical(memory.tangent.trajectories, copy.tangent.trajectories)
    with xr.open_dataset(tmp_path / "run.h5", group="tangent/trajectories", engine="h5netcdf") as read:
        assert read.wrt.values.tolist() == names
        np.testing.assert_array_equal(read.q, memory.tangent.trajectories.q)
    with xr.open_datatree(tmp_path / "run.h5", engine="h5netcdf") as tree:
        np.testing.assert_array_equal(tree["tangent/trajectories/height"], memory.tangent.trajectories.height)


def test_what_stops_has_no_more_samples(moved):
    run = moved.replace(trajectories=16, stop=[{"when": "t - 0.5"}]).run()
    q = run.tangent.trajectories.q
    np.testing.assert_array_equal(np.isnan(q).all(axis=(2, 3)), np.isnan(run.trajectories.q).all(axis=2))
    assert np.isnan(q).any() and not np.isnan(q).all()


def test_the_covariance_is_that_of_many_draws(circle):
    size, small = 4096, 1e-3
    laws = {"initial.v[1]": lv.Normal(1.0, small), "system.radius": lv.Uniform(1 - small, 1 + small)}
    study = circle.replace(vary=laws, size=size, tangent={"of": ["initial.v", "system.radius"], "covariance": "initial"})
    run = study.run()
    of, d = run.tangent, 2
    phi = np.concatenate([of.final_q, of.final_p], axis=1)
    spread = np.diag([0.0, small, small / np.sqrt(3)]) ** 2
    assert of.covariance.dims == ("instance", "state", "with_state")
    expected = phi @ spread @ phi.transpose(0, 2, 1)
    # The width of a uniform law, 2e-3, is the difference of numbers that are rounded by 1e-16.
    np.testing.assert_allclose(of.covariance, expected, rtol=0, atol=4e-13 * np.abs(expected).max())
    drawn = np.cov(np.concatenate([run.final.q, run.final.p], axis=1).T)
    mean = of.covariance.values.mean(axis=0)
    # Five standard errors of a covariance of normal draws, and what the map bends: relative to a slope of the size 1, by
    # the spread, in the standard deviations.
    error = np.sqrt((np.outer(np.diag(mean), np.diag(mean)) + mean**2) / size)
    largest = mean.max()
    assert (np.abs(drawn - mean) < 5 * error + 10 * small * largest).all() and largest > 0.1 * small**2
    assert drawn.shape == (2 * d, 2 * d)


def test_covariances_at_the_samples_are_those_of_runs_that_end_there(circle, tmp_path):
    study = circle.replace(vary={"initial.v[1]": lv.Normal(1.0, 0.1)}, tangent={"of": ["initial.v"], "covariance": "initial"},
                           trajectories=3, every=4)
    run = study.run(file=tmp_path / "run.h5")
    grown = run.tangent.trajectories.covariance
    assert grown.dims == ("trajectory", "time", "state", "with_state") and grown.attrs["long_name"]
    for k, steps in ((1, 4), (2, 8)):
        end = study.replace(scheme=study.scheme.replace(steps=steps, end=None)).run().tangent.covariance
        np.testing.assert_array_equal(grown[:, k], end[:3])
    np.testing.assert_array_equal(grown[:, -1], run.tangent.covariance[:3])
    start = np.zeros((4, 4))
    start[3, 3] = 0.1**2  # of p_y; the mass is 1, and the point stands at (1, 0)
    np.testing.assert_allclose(grown[:, 0], np.broadcast_to(start, (3, 4, 4)), atol=1e-17)
    xr.testing.assert_identical(study.run().tangent.trajectories, run.tangent.trajectories.load())
    stopped = study.replace(stop=[{"when": "t - 0.5"}]).run().tangent.trajectories.covariance
    np.testing.assert_array_equal(np.isnan(stopped[0, :, 0, 0]), run.statistics.time > 0.5)


def test_draws_that_are_shared_go_together(circle):
    study = circle.replace(tangent={"of": ["initial.v"], "covariance": "initial"},
                           vary={"initial.v": lv.Normal(0, 0.1, mode="add", shared=True)})
    of = study.run().tangent
    together = 0.1 * np.concatenate([of.final_q, of.final_p], axis=1).sum(axis=2)
    np.testing.assert_allclose(of.covariance, together[:, :, None] * together[:, None], rtol=0, atol=1e-16)
    alone = study.replace(further={"output.columns": ["tangent/covariance"]}).run().tangent
    assert list(alone.data_vars) == ["covariance"]
    np.testing.assert_array_equal(alone.covariance, of.covariance)
    np.testing.assert_array_equal(alone.trajectories.q[:, -1], of.final_q[:8])


def test_exponents_are_of_the_instances(circle):
    run = circle.replace(tangent={"lyapunov": {"count": 2, "every": 5}}).run()
    assert run.instances.lyapunov.sizes == {"instance": 16, "exponent": 2}
    assert run.instances.lyapunov.attrs["units"] == "1/s"
    with pytest.raises(lv.SpecError, match="no derivatives"):
        run.tangent


def test_exponents_are_of_the_time_to_the_last_orthonormalisation(circle):
    of = {"lyapunov": {"count": 2, "every": 5}}
    at = {steps: circle.replace(scheme=circle.scheme.replace(steps=steps, end=None), every=1, interval=None,
                                tangent=of).run().instances.lyapunov.values for steps in (4, 20, 23)}
    np.testing.assert_array_equal(at[20], at[23])
    assert np.isnan(at[4]).all()


def test_exponents_are_observed_at_the_samples(circle):
    study = circle.replace(every=10, interval=None, trajectories=16, observe=["lyapunov[1]"],
                           tangent={"lyapunov": {"count": 2, "every": 5}})
    run = study.run()
    followed = run.trajectories["lyapunov[1]"]
    assert np.isnan(followed[:, 0]).all() and np.isfinite(followed[:, 1:]).all()
    np.testing.assert_array_equal(followed[:, -1], run.instances.lyapunov[:, 1])
    mean = run.statistics["lyapunov[1]"]["mean"]
    np.testing.assert_allclose(mean[1:], followed[:, 1:].mean("trajectory"), rtol=1e-13)
    with pytest.raises(lv.SpecError, match=r"lyapunov\[2\]. is no entry; expected one of lyapunov\[0..1\]"):
        study.replace(observe=["lyapunov[2]"]).check()


def test_a_run_without_says_what_to_ask_for(circle):
    with pytest.raises(lv.SpecError, match="tangent"):
        circle.run().tangent


def test_samples_have_the_same_bits_however_they_are_made(moved, program, tmp_path):
    study = moved.replace(size=3000, trajectories=2500, every=5)
    (tmp_path / "study.toml").write_text(study.to_toml())
    whole = study.run(threads=1)
    for index in (0, 1, 2):
        subprocess.run([program, "run", "study.toml", "--shard", f"{index}/3", "-o", f"{index}.h5"], cwd=tmp_path, check=True,
                       stdout=subprocess.DEVNULL)
    subprocess.run([program, "merge", "0.h5", "1.h5", "2.h5", "-o", "merged.h5"], cwd=tmp_path, check=True,
                   stdout=subprocess.DEVNULL)
    for other in (study.run(threads=2), lv.open(tmp_path / "merged.h5")):
        xr.testing.assert_identical(whole.tangent.trajectories, other.tangent.trajectories.load())
        xr.testing.assert_identical(whole.tangent, other.tangent.load())


def test_samples_go_on_where_a_run_was_interrupted(moved, tmp_path):
    study = moved.replace(scheme=lv.schemes.ems(step=0.001, end=0.4), size=64, every=100, trajectories=16,
                          checkpoint_every=0.01)
    file = tmp_path / "run.h5"

    def stop(done, total, failed):
        if 0 < done < total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.run(file=file, progress=stop)
    assert (tmp_path / "run.h5.checkpoint").is_dir()
    xr.testing.assert_identical(study.run(file=file).tangent.trajectories.load(), study.run().tangent.trajectories)


thrown_mass = """
    name      = "thrown_mass"
    kinetic   = "1/2*mass*(x'^2 + y'^2)"
    potential = "mass*gravity*y"
    coordinates = { x = 1, y = 1 }
    parameters = { mass = 2.0, gravity = 9.81, floor = -1.0 }
    """
of_a_throw = ["initial.q", "initial.v", "system.mass", "system.gravity", "system.floor", "scheme.step"]


def test_times_of_events_and_stops_move_as_those_of_a_thrown_mass():
    """t = (u + w)/g with w^2 = u^2 + 2 g (y - floor), and schemes for which a constant force is none have y(t) at their
    nodes. Values around a zero are rounded by some 4 u |y|, so that what their difference over h/4096 says of the slope w
    is good to 2^13 4 u |y|/(h w), 1e-10 here, of which a derivative has |y.|/w: at most 1, and by the step t/h."""
    step, x, y, vx, u = 0.01, 0.0, 1.0, 1.0, 2.0
    text = lv.System.from_text(thrown_mass, floor=0.5)
    study = lv.Ensemble(text, lv.schemes.ems(step=step, end=1.0, tolerance=0), initial={"q": [x, y], "v": [vx, u]},
                        observe=["q[0]"], vary={"system.floor": lv.Linspace(-1.0, 0.5, 4)},
                        tangent={"of": of_a_throw}, stop=[{"when": "t - 0.9"}],
                        event=[{"name": "fall", "when": "y - floor", "state": True, "keep": 2},
                               {"name": "jump", "when": "where(y < floor, 1, -1)"},
                               {"name": "flat", "when": "(x - floor - 1.3)^3"}])
    run = study.run()
    floor, g = run.instances["system.floor"].values, 9.81
    w = np.sqrt(u**2 + 2 * g * (y - floor))
    t = (u + w) / g
    zero = np.zeros_like(t)
    by = np.array([zero, 1 / w, zero, (1 + u / w) / g, zero, -t / g + (y - floor) / (g * w), -1 / w, zero]).T
    bound = 2**13 * 4 * 2**-53 / (step * w.min()) * np.array([1] * 7 + [t.max() / step])

    def agree(found, expected, factor=1.0):
        off = np.abs(found - expected) / (factor * bound)
        assert off.max() < 1, off.max()

    tangent = run.tangent
    assert tangent.fall_time.dims == ("instance", "fall_event", "wrt")
    assert tangent.fall_q.dims == ("instance", "fall_event", "coordinate", "wrt")
    np.testing.assert_allclose(run.instances.fall_time[:, 0], t, atol=1e-13)
    agree(tangent.fall_time[:, 0], by)
    assert np.isnan(tangent.fall_time[:, 1]).all() and np.isnan(tangent.fall_v[:, 1]).all()
    q = np.zeros((4, 2, 8))
    q[:, 0], q[:, 1, 6] = vx * by, 1
    q[:, 0, 0] += 1
    q[:, 0, 2] += t
    agree(tangent.fall_q[:, 0], q, 2)
    v = np.zeros((4, 2, 8))
    v[:, 0, 2], v[:, 1] = 1, -g * by
    v[:, 1, 3] += 1
    v[:, 1, 5] -= t
    agree(tangent.fall_v[:, 0], v, g)
    # What jumps has a time and no derivative, what is flat there has one at most to chance.
    assert np.isfinite(run.instances.jump_time[:, 0]).all() and np.isnan(tangent.jump_time).all()
    known = tangent.flat_time[:, 0].values[np.isfinite(tangent.flat_time[:, 0]).all(axis=1)]
    assert len(known) < 4 and np.isfinite(run.instances.flat_time[:, 0]).any()
    assert (run.instances.status == 8).all()
    np.testing.assert_allclose(run.instances.stop_time, 0.9, atol=1e-13)
    agree(tangent.stop_time, 0.0)


@pytest.mark.parametrize("tangent, observe", [({"of": ["initial.v[1]"]}, []),
                                              ({"of": "state", "lyapunov": {"count": 1, "every": 4}}, [{"name": "seen", "expression": "q[0]*t"}])])
def test_stops_and_events_are_those_without_derivatives(circle, tangent, observe):
    study = circle.replace(observe=observe, stop=[{"when": "t - 0.75"}],
                           event=[{"name": "low", "when": "q[0] - 0.9", "keep": 2, "state": True}])
    without, run = study.run().instances, study.replace(tangent=tangent).run().instances
    assert (without.stop_time == 0.75).all() and (without.low_count == 1).all()
    for name in ("stop_time", "stop_condition", "low_count", "low_time", "low_q", "low_v"):
        np.testing.assert_array_equal(run[name], without[name])


def test_entries_that_alternate_have_no_derivative():
    """Velocities of livens do, from node to node; those of ems follow the motion, as positions of both do."""
    text = lv.systems.text(Path(__file__).parents[2] / "examples" / "systems" / "driven_cart.toml")()
    found = {scheme.name: lv.Ensemble(text, scheme, size=1, event=[{"name": "crossing", "when": "s - 0.02", "state": True, "keep": 1}],
                                      tangent={"of": ["system.rod", "initial.y"]}).run().tangent
             for scheme in (lv.schemes.ems(step=0.02, end=1.2), lv.schemes.livens(step=0.02, end=1.2))}
    ems, livens = found["ems"], found["livens"]
    assert np.isfinite(ems.crossing_v).all() and np.isfinite(livens.crossing_q).all()
    # Two schemes of order 2.
    np.testing.assert_allclose(livens.crossing_q, ems.crossing_q, atol=1e-3)
    differ = np.abs(livens.crossing_v - ems.crossing_v).values
    assert not (differ > 0.05).any() and np.isnan(differ).any()
