// The document that every panel loads and the policy it lives under; without the editor's API, so that tests load the very same.

export interface PanelSource {
  /** Where a built file of the panel is, by its name. */
  readonly file: (name: string) => string;
  /** What the policy calls those places. */
  readonly origin: string;
  /** New for each load, never guessable: only scripts that carry it run. */
  readonly nonce: string;
}

/** Nothing from the network, no inline style, no script but ours (S82). */
export function panelDocument({ file, origin, nonce }: PanelSource): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${origin}`,
    `font-src ${origin}`,
    `img-src ${origin} data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${file('codicon.css')}" />
    <link rel="stylesheet" href="${file('panel.css')}" />
    <title>Lathe</title>
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" src="${file('panel.js')}"></script>
  </body>
</html>`;
}
