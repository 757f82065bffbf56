// The person's settings `lathe.*`, read at the moment of use.
import * as vscode from 'vscode';
import type { JsonObject } from '../common/json';
import { isJsonObject } from '../common/json';
import type { SettingName, SettingValue, Settings } from '../common/settings';
import { SETTINGS } from '../common/settings';

/**
 * `manifest` is the extension's package.json: a value that does not fit what it declares (a mode that may not be a default, a
 * negative limit) is answered with the default. What is not of scope `resource` is read from the person's own settings alone,
 * whatever a workspace says.
 */
export function editorSettings(manifest: unknown): Settings {
  const declared = declaredSettings(manifest);
  return {
    get<N extends SettingName>(name: N): SettingValue<N> {
      const found = vscode.workspace.getConfiguration('lathe').inspect<SettingValue<N>>(name);
      const { scope, default: fallback } = SETTINGS[name];
      if (isJoined(name)) return joined(name);
      const value =
        (scope as string) === 'resource'
          ? (found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue)
          : found?.globalValue;
      return value !== undefined && fits(value, declared[`lathe.${name}`]) ? value : fallback;
    },
    ignored: async () => (await import('./ignoredSettings')).ignoredSettings(),
  };
}

type Joined = 'permission.ask' | 'permission.deny';

function isJoined(name: SettingName): name is Joined {
  return name === 'permission.ask' || name === 'permission.deny';
}

/** A workspace and each of its folders can add to what the person forbids, and take nothing away. What is no list of texts is told as a rule that cannot be read. */
function joined(name: Joined): readonly string[] {
  const of = (scope?: vscode.Uri) => vscode.workspace.getConfiguration('lathe', scope).inspect<unknown>(name);
  const window = of();
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => of(uri)?.workspaceFolderValue);
  const values = [window?.globalValue, window?.workspaceValue, ...folders].flatMap((value) => value ?? []);
  return [...new Set(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))))];
}

function declaredSettings(manifest: unknown): JsonObject {
  const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
  const configuration = isJsonObject(contributes) ? contributes['configuration'] : undefined;
  const properties = isJsonObject(configuration) ? configuration['properties'] : undefined;
  return isJsonObject(properties) ? properties : {};
}

function fits(value: unknown, declared: unknown): boolean {
  if (!isJsonObject(declared)) return false;
  const { type, enum: allowed, minimum, maximum } = declared;
  if (type === 'integer' || type === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return false;
    if (type === 'integer' && !Number.isInteger(value)) return false;
    return value >= Number(minimum ?? -Infinity) && value <= Number(maximum ?? Infinity);
  }
  if (type === 'object') return isJsonObject(value);
  if (type === 'array') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof value === type && (!Array.isArray(allowed) || allowed.includes(value));
}
