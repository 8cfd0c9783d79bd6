# Of a checkout, since there is no archive: this file as packages/livens/package.py of a repository
# of Spack's, and in the checkout `spack dev-build livens@0.1.0`.
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import depends_on, license, variant, version


class Livens(CMakePackage):
    """Ensembles of small constrained mechanical systems, integrated with structure-preserving
    schemes on the lanes of a processor or on a GPU, with the same bits."""

    license("MIT")

    version("0.1.0")

    variant("checks", default=True, description="livens verify, check, certify, bench; SUNDIALS")
    variant("mpi", default=False, description="ranks that share a run")
    variant("cuda", default=False, description="GPUs")

    depends_on("c", type="build")
    depends_on("cxx", type=("build", "run"))  # what is compiled on first use
    depends_on("cmake@3.24:", type="build")
    depends_on("ninja", type="build")
    depends_on("boost")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("hdf5+hl")
    depends_on("minizip")
    depends_on("nlohmann-json")
    depends_on("openssl")
    depends_on("random123")
    depends_on("tomlplusplus")
    depends_on("zlib-api")
    depends_on("eigen@3.4:", when="+checks")
    depends_on("sundials@6:", when="+checks")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")

    def cmake_args(self):
        return [
            self.define("LIVENS_TESTS", False),
            self.define("LIVENS_FORMS", "preferred"),
            self.define_from_variant("LIVENS_CHECKS", "checks"),
            self.define_from_variant("LIVENS_CUDA", "cuda"),
            self.define_from_variant("LIVENS_MPI", "mpi"),
        ]
