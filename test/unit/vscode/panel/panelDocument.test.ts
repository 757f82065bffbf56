// The panel's document: its policy to the letter, since one word more would open it.
import assert from 'node:assert/strict';
import { panelDocument } from '../../../../src/vscode/panel/panelDocument';

describe('the panel’s document', () => {
  const document = panelDocument({ file: (name) => `https://x.test/${name}`, origin: 'https://x.test', nonce: 'n0' });

  it('has a policy that lets in nothing but the panel’s own files', () => {
    assert.equal(
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(document)?.[1],
      "default-src 'none'; script-src 'nonce-n0'; style-src https://x.test; font-src https://x.test; img-src https://x.test data:",
    );
  });

  it('holds no inline script, style or handler', () => {
    assert.deepEqual(document.match(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/g), null);
  });
});
