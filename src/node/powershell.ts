// PowerShell as the shell where there is no bash: pure, since nobody could run it on the machines that Lathe is tested on.
import { win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The newer one first. By absolute path in the system's own folders: never from PATH or the folder that a command runs in (S12). */
export function powershellPaths(env: Environment): readonly string[] {
  return [
    win32.join(folderFrom(env['ProgramFiles'], 'C:\\Program Files'), 'PowerShell', '7', 'pwsh.exe'),
    win32.join(systemFolder(env), 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
  ];
}

/** The script goes as one word that no quoting can break. `noteFile` gets the folder that the shell stands in at its end. */
export function powershellArgs(command: string, noteFile: string): readonly string[] {
  const script = Buffer.from(scriptFor(command, noteFile), 'utf16le').toString('base64');
  return ['-NoLogo', '-NoProfile', '-NonInteractive', '-OutputFormat', 'Text', '-EncodedCommand', script];
}

/** Ends a process and all that have come from it. */
export function taskkill(pid: number, env: Environment): { readonly file: string; readonly args: readonly string[] } {
  return { file: systemProgram('taskkill.exe', env), args: ['/T', '/F', '/PID', String(pid)] };
}

/** By absolute path: a name alone would be looked for in the current folder first (S12). */
export function systemProgram(name: string, env: Environment): string {
  return win32.join(systemFolder(env), name);
}

/**
 * Commands are dot-sourced, so that `cd` is seen. The exit code is that of `exit` or of the last program; 1 after an error that
 * ended the command, one of its syntax included.
 */
function scriptFor(command: string, noteFile: string): string {
  return [
    '[Console]::OutputEncoding = $OutputEncoding = New-Object System.Text.UTF8Encoding $false',
    "$ProgressPreference = 'SilentlyContinue'",
    '$global:LASTEXITCODE = 0',
    'try {',
    `  . ([ScriptBlock]::Create(${literal(command)}))`,
    '} catch {',
    '  [Console]::Error.WriteLine(($_ | Out-String).TrimEnd())',
    '  $global:LASTEXITCODE = 1',
    '} finally {',
    `  [IO.File]::WriteAllText(${literal(noteFile)}, (Get-Location -PSProvider FileSystem).ProviderPath)`,
    '}',
    'exit $global:LASTEXITCODE',
  ].join('\n');
}

/** Base64 in quotes: PowerShell takes typographic quotes for quotes too, and a text may hold any. */
function literal(text: string): string {
  return `[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${Buffer.from(text).toString('base64')}'))`;
}

function systemFolder(env: Environment): string {
  return win32.join(folderFrom(env['SystemRoot'], 'C:\\Windows'), 'System32');
}

/** A relative folder would be looked for where the command runs. */
function folderFrom(named: string | undefined, usual: string): string {
  return named !== undefined && /^[a-z]:\\/i.test(named) ? named : usual;
}
