// Where links lead: the web and mail, files, and nowhere else.
import assert from 'node:assert/strict';
import { needsPlace, parseLink, type LinkTarget } from '../../../../webview/markdown/links';

describe('links', () => {
  function check(href: string, expected: LinkTarget | undefined): void {
    it(JSON.stringify(href), () => assert.deepEqual(parseLink(href), expected));
  }

  check('https://example.com/a?b#c', { kind: 'web', url: 'https://example.com/a?b#c', place: 'example.com' });
  check('HTTP://Example.com:8080', { kind: 'web', url: 'http://example.com:8080/', place: 'example.com:8080' });
  check('mailto:me@example.com', { kind: 'web', url: 'mailto:me@example.com', place: 'me@example.com' });
  check('https://exämple.com', { kind: 'web', url: 'https://xn--exmple-cua.com/', place: 'xn--exmple-cua.com' });
  check('src/a.ts', { kind: 'file', path: 'src/a.ts' });
  check('src/a.ts:12', { kind: 'file', path: 'src/a.ts', line: 12 });
  check('a.ts:12:3', { kind: 'file', path: 'a.ts', line: 12 });
  check('src/a.ts#L12-L20', { kind: 'file', path: 'src/a.ts', line: 12 });
  check('src/with%20blank.ts', { kind: 'file', path: 'src/with blank.ts' });
  check('/home/dev/a.ts', { kind: 'file', path: '/home/dev/a.ts' });
  check('C:\\work\\a.ts', { kind: 'file', path: 'C:\\work\\a.ts' });
  for (const href of [
    '',
    '#top',
    '?x',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'command:workbench.action.terminal.new',
    'vscode://ext/x',
    'vbscript:x',
    '//evil.example/a',
    '\\\\evil.example\\share',
    '/%2Fevil.example/a',
    'https://good.example@evil.example',
    'https://',
    'src/\u202egnp.exe',
  ]) {
    check(href, undefined);
  }

  it('a label that names the place needs it no second time', () => {
    const cases = [
      needsPlace('example.com', 'example.com'),
      needsPlace('https://example.com/a', 'example.com'),
      needsPlace('docs', 'example.com'),
      needsPlace('https://good.test', 'evil.test'),
      needsPlace('good.test via evil.test', 'evil.test'),
    ];
    assert.deepEqual(cases, [false, false, true, true, true]);
  });
});
