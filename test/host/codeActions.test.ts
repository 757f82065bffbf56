// The light bulb offers Lathe on problems and on selections, and the prompts name the place exactly.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editPrompt, explainPrompt, fixPrompt } from '../../src/vscode/prompts';
import { closeAll, makeFile, show, testApi } from './support';

const CODE = 'const a = 1;\nconst b = a.x;\n';

describe('code actions', () => {
  let editor: vscode.TextEditor;
  let problems: vscode.DiagnosticCollection;

  before(async () => {
    await testApi();
    editor = await show(await makeFile('a.lathe-test', CODE));
    problems = vscode.languages.createDiagnosticCollection('test');
    const problem = new vscode.Diagnostic(
      new vscode.Range(1, 12, 1, 13),
      'x does not exist',
      vscode.DiagnosticSeverity.Error,
    );
    problem.source = 'ts';
    problem.code = 2339;
    problems.set(editor.document.uri, [problem]);
  });
  after(async () => {
    problems.dispose();
    await closeAll();
  });

  async function offered(range: vscode.Range): Promise<string[]> {
    const actions = await vscode.commands.executeCommand<(vscode.CodeAction | vscode.Command)[]>(
      'vscode.executeCodeActionProvider',
      editor.document.uri,
      range,
    );
    return actions.map(({ title }) => title).filter((title) => title.includes('Lathe'));
  }

  it('are offered where they make sense', async () => {
    assert.deepEqual(await offered(new vscode.Range(0, 0, 0, 0)), []);
    assert.deepEqual(await offered(new vscode.Range(1, 12, 1, 12)), ['Fix with Lathe']);
    assert.deepEqual(await offered(new vscode.Range(0, 0, 0, 5)), ['Explain with Lathe', 'Edit with Lathe…']);
  });

  it('write prompts that say what and where', () => {
    const { document } = editor;
    const path = vscode.workspace.asRelativePath(document.uri);
    const language = document.languageId;
    assert.deepEqual(
      [
        fixPrompt(document, problems.get(document.uri) ?? []),
        explainPrompt(document, new vscode.Range(0, 0, 1, 0)),
        editPrompt(document, new vscode.Range(0, 0, 1, 3)),
      ],
      [
        `Fix this problem, and its cause rather than its symptom:\n\n- ${path}:2, column 13: error (ts 2339): x does not exist\n\n\`\`\`${language}\nconst b = a.x;\n\`\`\``,
        `Explain ${path}:1: what it does, and why it is there.\n\n\`\`\`${language}\nconst a = 1;\n\`\`\``,
        `In ${path}:1-2: `,
      ],
    );
  });
});
