#!/usr/bin/env python3
"""Packs the extension: pack.py OUT.vsix. A vsix is a zip file with two lists of what is in it.

Needs out/extension.js (npm run build) and nothing from the network. The same files give the same bytes."""
import json
import os
import sys
import zipfile
from xml.sax.saxutils import quoteattr

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ["package.json", "README.md", "language-configuration.json", "syntaxes/promela.tmLanguage.json",
         "snippets/promela.json", "out/extension.js"]
TYPES = {".json": "application/json", ".js": "application/javascript", ".md": "text/markdown",
         ".vsixmanifest": "text/xml", ".txt": "text/plain"}


def manifest(about):
    tags = ",".join(about["keywords"] + ["__ext_pml", "__ext_promela", "debuggers", "snippet"])
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(about["name"])} Version={quoteattr(about["version"])} Publisher={quoteattr(about["publisher"])}/>
    <DisplayName>{about["displayName"]}</DisplayName>
    <Description xml:space="preserve">{about["description"]}</Description>
    <Tags>{tags}</Tags>
    <Categories>{",".join(about["categories"])}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(about["engines"]["vscode"])}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def content_types():
    rows = "".join(f'<Default Extension="{suffix}" ContentType="{kind}"/>' for suffix, kind in TYPES.items())
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{rows}</Types>\n')


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: pack.py OUT.vsix")
    about = json.loads(read(os.path.join(HERE, "package.json")))
    parts = {"extension.vsixmanifest": manifest(about).encode(), "[Content_Types].xml": content_types().encode(),
             "extension/LICENSE.txt": read(os.path.join(HERE, "..", "..", "LICENSE"))}
    for name in FILES:
        parts["extension/" + name] = read(os.path.join(HERE, name))
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in parts.items():
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            out.writestr(info, data)
    print(f"{sys.argv[1]}: {len(parts)} files, {os.path.getsize(sys.argv[1]) // 1024} KB")


main()
