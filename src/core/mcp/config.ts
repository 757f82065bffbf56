// The person's setting `mcp.servers`, read with care: what somebody typed into a settings file becomes servers and problems.
import { isJsonObject, type JsonObject } from '../../common/json';
import { serverKeys } from './names';

export interface ServerConfig {
  /** As the person wrote it. */
  readonly name: string;
  /** The `server` of `mcp__server__tool`: legal, and unique among the configured servers. */
  readonly key: string;
  readonly endpoint: ProgramEndpoint | HttpEndpoint;
}

export interface ProgramEndpoint {
  readonly kind: 'program';
  readonly command: string;
  readonly args: readonly string[];
  /** Declared by the person; added to the little that every server gets (S61). */
  readonly env: Readonly<Record<string, string>>;
}

export interface HttpEndpoint {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServerConfigs {
  /** By name. */
  readonly servers: readonly ServerConfig[];
  /** For the person: which entries cannot be used, and why. */
  readonly problems: readonly string[];
}

/** `setting`: name -> {command, args?, env?} | {url, headers?}. One bad entry harms no other. */
export function readServers(setting: unknown): ServerConfigs {
  if (!isJsonObject(setting)) return { servers: [], problems: ['lathe.mcp.servers must be an object of servers.'] };
  const names = Object.keys(setting).sort();
  const keys = serverKeys(names);
  const servers: ServerConfig[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const endpoint = readEndpoint(setting[name]);
    if (typeof endpoint === 'string') problems.push(`The MCP server ${name} is left out: ${endpoint}`);
    else servers.push({ name, key: keys.get(name) ?? name, endpoint });
  }
  return { servers, problems };
}

function readEndpoint(entry: unknown): ServerConfig['endpoint'] | string {
  if (!isJsonObject(entry)) return 'its entry in lathe.mcp.servers must be an object.';
  if ((entry.command === undefined) === (entry.url === undefined)) return 'it needs either "command" or "url".';
  return entry.command === undefined ? readHttp(entry) : readProgram(entry);
}

function readProgram({ command, args = [], env = {} }: JsonObject): ProgramEndpoint | string {
  if (typeof command !== 'string' || command.trim() === '') return '"command" must be the name of a program.';
  if (!isTextList(args)) return '"args" must be a list of strings.';
  if (!isTextMap(env)) return '"env" must be an object of strings.';
  return { kind: 'program', command, args, env };
}

function readHttp({ url, headers = {} }: JsonObject): HttpEndpoint | string {
  if (typeof url !== 'string' || !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    return '"url" must be an address that begins with http:// or https://.';
  }
  if (!isTextMap(headers)) return '"headers" must be an object of strings.';
  return { kind: 'http', url, headers };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string');
}
