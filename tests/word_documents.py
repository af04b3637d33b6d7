"""Word documents for tests."""

from __future__ import annotations

import io
import zipfile

MAIN = "word/document.xml"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"


def paragraphs(*runs: str) -> str:
    """Return a paragraph with these runs of text."""
    return f"<w:p>{''.join(f'<w:r><w:t>{run}</w:t></w:r>' for run in runs)}</w:p>"


def docx(
    body: str, *, main: str = MAIN, target: str | None = None, before: str = "", relations: str | None = None,
    compression: int = zipfile.ZIP_DEFLATED,
) -> bytes:
    """Return a document with this body.

    `main` is the name of its main part, `target` the name by which other parts refer to it.
    """
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as archive:
        relation = f'<Relationship Id="r" Type="{_OFFICE}" Target="{target or main}"/>'
        described = f"<Relationships>{relation}</Relationships>" if relations is None else relations
        archive.writestr("_rels/.rels", described)
        document = f'{before}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
        archive.writestr(main, document)
    return written.getvalue()
