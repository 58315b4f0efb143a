"""Writes addresses of a repository into the metadata of a release: the README's links, `project.urls`, Cargo.toml.

    python tools/release_metadata.py https://github.com/OWNER/NAME v1.2.3

PyPI shows the README without the other files of the repository. The release workflow runs this program in its checkout
before it builds, so that links lead to the files of the release's own tag.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")


def readme(text, url, tag):
    """Returns the README with absolute links: to pages of the repository, and to the files of pictures."""

    def absolute(match):
        kind = "raw" if match[1] else "blob"
        return f"{match[1]}[{match[2]}]({url}/{kind}/{tag}/{match[3]})"

    return LINK.sub(absolute, text)


def project(text, url, tag):
    """Returns pyproject.toml with `project.urls`."""
    urls = {
        "Documentation": f"{url}/blob/{tag}/docs/index.md",
        "Repository": url,
        "Changelog": f"{url}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{url}/issues",
    }
    lines = "".join(f'{name} = "{address}"\n' for name, address in urls.items())
    return text.replace("[project.scripts]\n", f"[project.urls]\n{lines}\n[project.scripts]\n", 1)


def crate(text, url, tag):
    """Returns the root's Cargo.toml with the key `repository`."""
    return text.replace('readme = "README.md"\n', f'readme = "README.md"\nrepository = "{url}"\n', 1)


FILES = {"README.md": readme, "pyproject.toml": project, "Cargo.toml": crate}


def main(url, tag):
    for name, write in FILES.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        new = write(text, url, tag)
        if new == text:
            raise SystemExit(f"{name}: expected a text without addresses of a repository")
        path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
