// Paths that need a person wherever they lie, by every spelling, and the ordinary ones that do not.
import assert from 'node:assert/strict';
import type { Platform } from '../../../../src/core/host';
import { loadGrammar, understand } from '../../../../src/core/command/understand';
import { isHolder, protectionOf, type Protection } from '../../../../src/core/permission/protected';

const platform = (os: Platform['os']): Platform => ({ os, homeDir: '/home/dev', foldsCase: true, timeZone: 'UTC' });

/** As written, in a folder below, in capitals and as Windows writes it. */
function check(title: string, op: 'read' | 'write' | 'delete', expected: Protection | undefined, paths: string): void {
  it(title, () => {
    for (const path of paths.split(/\s+/)) {
      const found = [
        protectionOf(op, `/w/proj/${path}`, platform('linux')),
        protectionOf(op, `/w/proj/deep/er/${path}`, platform('linux')),
        protectionOf(op, `/w/proj/${path.toUpperCase()}`, platform('darwin')),
        protectionOf(op, `C:\\w\\proj\\${path.replaceAll('/', '\\')}`, platform('win32')),
      ];
      assert.deepEqual(found, [expected, expected, expected, expected], path);
    }
  });
}

describe('protected paths', () => {
  check(
    'S33 what the editor is told',
    'write',
    'governs',
    '.vscode/settings.json .vscode/mcp.json a.code-workspace code/user/settings.json',
  );
  check(
    'S33 what the editor runs',
    'write',
    'executes',
    '.vscode .vscode/tasks.json .vscode/launch.json .idea/workspace.xml .devcontainer.json .devcontainer/devcontainer.json .vscode-server/extensions/x/a.js',
  );
  check(
    'S34 servers that agents start',
    'write',
    'governs',
    '.mcp.json mcp.json .cursor/mcp.json .gemini/settings.json .claude.json .config/opencode/opencode.json opencode.jsonc',
  );
  check(
    'S39 other agents’ settings',
    'write',
    'governs',
    '.claude/settings.local.json .codex/config.toml .cursor/rules/a.mdc .cursorrules .windsurfrules .clinerules-code .roomodes .kiro/steering/a.md .junie/guidelines.md .aider.conf.yml .zed/settings.json .github/agents/a.md .github/hooks/a.json',
  );
  check(
    'S93 what agents are told and remember',
    'write',
    'governs',
    'AGENTS.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md .github/copilot-instructions.md .github/instructions/a.instructions.md .github/prompts/a.prompt.md .lathe/rules/a.md .agents/skills/a/SKILL.md',
  );
  check(
    'S38 what is hidden from agents',
    'write',
    'governs',
    '.latheignore .agentignore .cursorignore .cursorindexingignore .aiexclude .clineignore .geminiignore',
  );
  check(
    'S14 what package managers run and where they take it from',
    'write',
    'executes',
    'package.json .npmrc .yarnrc .yarnrc.yml .yarn/releases/yarn-4.cjs .yarn/plugins/a.cjs .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml .cargo/config.toml pip.conf',
  );
  check(
    'what builds run by themselves',
    'write',
    'executes',
    '.mvn/jvm.config mvnw mvnw.cmd gradlew gradlew.bat gradle/wrapper/gradle-wrapper.properties .gradle/init.gradle .bazelrc user.bazelrc Makefile Rakefile build.rs conftest.py setup.py justfile Directory.Build.props',
  );
  check(
    'S28 what git runs',
    'write',
    'executes',
    '.git .git/config .git/hooks/pre-commit .gitmodules .gitattributes .gitconfig .config/git/config .husky/pre-commit .pre-commit-config.yaml lefthook-local.yml .lintstagedrc.json',
  );
  check(
    'what starts with a shell or a program',
    'write',
    'executes',
    '.bashrc .zshenv .profile .envrc .tool-versions mise.toml .ripgreprc .curlrc .gdbinit .exrc .vimrc pyrightconfig.json sitecustomize.py .config/fish/config.fish .config/autostart/a.desktop',
  );
  check(
    'what a service runs after a push',
    'write',
    'executes',
    '.github/workflows/a.yml .github/actions/a/action.yml .gitlab-ci.yml .travis.yml azure-pipelines.yml Jenkinsfile .circleci/config.yml',
  );
  check(
    'S38 secrets are not read',
    'read',
    'secret',
    '.env .env.local .env-prod .envrc prod.env .npmrc .netrc .ssh/config id_ed25519 a.pem .aws/credentials .cargo/credentials.toml .m2/settings.xml terraform.tfstate .bash_history .vault-token',
  );
  check(
    'what looks like it is read',
    'read',
    undefined,
    '.env.example .env.local.sample example.env id_rsa.pub src/env.ts .gitignore AGENTS.md .vscode/settings.json package.json .claude/settings.json',
  );
  check(
    'ordinary files are written',
    'write',
    undefined,
    'src/a.ts src/agent.ts src/claude.ts src/git.ts src/settings.json src/mcp.ts docs/rules.md README.md tsconfig.json Cargo.toml go.mod package-lock.json yarn.lock .yarn/cache/a.zip .yarn/install-state.gz .gitignore .eslintrc.json .prettierrc .editorconfig .nvmrc .github/ISSUE_TEMPLATE/bug.md .vscode-test.mjs gradle/libs.versions.toml vscode/settings.json config/git/config src/makefile.ts model.pth',
  );

  it('S36 letters that other file systems take for the same', () => {
    for (const path of ['.v\u017fcode/tasks.json', '.gi\u200ct/config', '.GIT/config']) {
      assert.equal(protectionOf('write', `/w/proj/${path}`, platform('darwin')), 'executes', path);
    }
  });

  it('S36 a backslash is a letter like any other but on Windows', () => {
    const paths = ['linux', 'win32'] as const;
    assert.deepEqual(
      paths.map((os) => protectionOf('write', 'a\\.vscode\\tasks.json', platform(os))),
      [undefined, 'executes'],
    );
  });

  describe('S33 what a command puts there', () => {
    before(loadGrammar);

    /** Some path that the command writes is protected, or is a folder that would bring such paths along. */
    function puts(command: string, isCaught = true): void {
      it(command, () => {
        const written = understand(command).touches.filter(({ op }) => op === 'write');
        const caught = written.filter(({ path }) => {
          const full = `/w/proj/${path}`;
          return protectionOf('write', full, platform('linux')) !== undefined || isHolder(full, platform('linux'));
        });
        assert.equal(caught.length > 0, isCaught, JSON.stringify(written));
      });
    }
    puts('mv drafts/settings.json .vscode/settings.json');
    puts('mv drafts/.vscode .');
    puts('mv -t . drafts/.vscode');
    puts('cp -r drafts/.vscode sub');
    puts('mv drafts .github');
    puts('cp -r drafts sub/.config');
    puts('ln -s ../x .git/hooks/post-merge');
    puts('echo x > sub/.envrc');
    puts('echo x | tee -a AGENTS.md');
    puts('mv src/a.ts src/b.ts', false);
    puts('cp -r src copy', false);
    puts('mkdir -p .github/ISSUE_TEMPLATE', false);
  });
});
