// Walks the tree of a command and collects what it is made of.
import { changesAt } from './changes';
import { isDevice } from './critical';
import { onlyExactReason } from './exact';
import type { ParseBash, SyntaxNode } from './grammar';
import { DOUBTS, isWordNode, OPERATORS, PLAIN, skipsWords } from './nodes';
import { bare, criticalIn, folderOf, globsBeside } from './parts';
import { pathsFrom, PLACES_MAX, START, touchedFrom, union, type After, type Places } from './places';
import { readsOf } from './programs/index';
import { deedsOf, risksOf } from './risks';
import type { Recipes } from './scripts';
import type { Deed, SimpleCommand, Touched } from './types';
import { wordOf, type Word } from './words';
import { feedsShell, inner, unwrap } from './wrappers';

/** Scripts inside of scripts are read so deep. */
const DEPTH_MAX = 4;
/** What is collected at most. */
const COLLECTED_MAX = 500;

/** Held state of one walk. */
export class Reading {
  readonly commands: SimpleCommand[] = [];
  readonly touches: Touched[] = [];
  readonly scripts: string[] = [];
  readonly recipes: Recipes[] = [];
  /** Why it is not known what runs. */
  readonly unbound = new Set<string>();
  readonly deeds: Deed[] = [];
  readonly doubts = new Set<string>();
  critical: string | undefined;
  leavesRunning = false;
  private text = '';
  /** What a shell may be given to read, where there is one. */
  private readonly fed: string[] = [];
  /** The command that is looked at stands behind a pipe. */
  private hasInput = false;

  constructor(
    private readonly parse: ParseBash,
    private readonly repositories: readonly string[],
  ) {}

  readWhole(text: string): void {
    this.read(text, 0);
    if (!feedsShell(text)) return;
    for (const script of this.fed) this.read(script, 1);
  }

  /** A script: the whole command, or one that stands in it as a text. */
  private read(text: string, depth: number): void {
    const tree = depth > DEPTH_MAX ? undefined : this.parse(text);
    if (!tree) {
      this.doubts.add('It cannot be parsed.');
      return;
    }
    if (tree.hasError) this.doubts.add('It cannot be parsed.');
    const outer = this.text;
    this.text = text;
    this.visit(tree.root, START, depth);
    this.text = outer;
  }

  private visit(node: SyntaxNode, places: Places, depth: number): After {
    if (this.commands.length > COLLECTED_MAX) return { success: places, any: places };
    if (!node.isNamed) return this.operator(node, places);
    if (/^(heredoc_body|herestring_redirect)$/.test(node.type)) {
      this.fed.push(this.slice(node).replace(/^<<<\s*(["']?)(.*)\1$/s, '$2'));
    }
    if (skipsWords(node, this.text)) this.doubts.add('Its words cannot be told apart.');
    switch (node.type) {
      case 'command':
        return this.command(node, places, depth);
      case 'redirected_statement':
        return this.redirected(node, places, depth);
      case 'file_redirect':
        this.redirect(node, places);
        this.inside(node, places, depth);
        return { success: places, any: places };
      case 'pipeline':
        this.pipeline(node, places, depth);
        return { success: places, any: places };
      case 'negated_command': {
        // It succeeds where what it negates fails.
        const moved = node.children.map((child) => this.visit(child, places, depth).any);
        const any = moved.reduce(union, places);
        return { success: any, any };
      }
      case 'program':
      case 'list':
        return this.sequence(node, places, depth);
      default:
        if (!PLAIN.has(node.type) && !isWordNode(node))
          this.doubts.add(DOUBTS[node.type] ?? `It uses ${node.type.replaceAll('_', ' ')}.`);
        this.inside(node, places, depth);
        return { success: places, any: places };
    }
  }

  private pipeline(node: SyntaxNode, places: Places, depth: number): void {
    const before = this.hasInput;
    for (const child of node.children) {
      this.visit(child, places, depth);
      this.hasInput ||= child.isNamed;
    }
    this.hasInput = before;
  }

  private inside(node: SyntaxNode, places: Places, depth: number): void {
    for (const child of node.children) this.visit(child, places, depth);
  }

  /** `a && b`, `a || b`, `a; b`: what stands where `cd` may have led to. */
  private sequence(node: SyntaxNode, places: Places, depth: number): After {
    let after: After = { success: places, any: places };
    let operator = ';';
    for (const child of node.children) {
      if (!child.isNamed) {
        this.operator(child, places);
        operator = child.type;
        continue;
      }
      if (child.type === 'comment') continue;
      const start = operator === '&&' ? after.success : after.any;
      const now = this.visit(child, start, depth);
      after = {
        success: operator === '||' ? union(after.success, now.success) : now.success,
        any: operator === '&&' || operator === '||' ? union(after.any, now.any) : now.any,
      };
    }
    if (after.any.length > PLACES_MAX) this.doubts.add('It moves between many folders.');
    return { success: after.success.slice(0, PLACES_MAX), any: after.any.slice(0, PLACES_MAX) };
  }

  private operator(node: SyntaxNode, places: Places): After {
    if (node.type === '&') {
      this.leavesRunning = true;
      this.doubts.add('It leaves something running (&).');
    } else if (!OPERATORS.has(node.type) && !/^(["']|<|>|>>|>\||&>|&>>|>&|<&|\$|\()$/.test(node.type)) {
      this.doubts.add(DOUBTS[node.type] ?? `It uses ${node.type}.`);
    }
    return { success: places, any: places };
  }

  private redirected(node: SyntaxNode, places: Places, depth: number): After {
    let after: After = { success: places, any: places };
    for (const child of node.children) {
      const now = this.visit(child, places, depth);
      if (child.type !== 'file_redirect') after = now;
    }
    return after;
  }

  private redirect(node: SyntaxNode, places: Places): void {
    const operator = node.children.find(({ isNamed }) => !isNamed)?.type ?? '';
    const targets = node.children.filter(({ isNamed, type }) => isNamed && type !== 'file_descriptor');
    const word = wordOf(targets.map((target) => this.slice(target)).join(' '));
    const { text } = word;
    if (text === undefined || targets.length !== 1 || word.isGlob) {
      this.doubts.add('Where it redirects to is not written out.');
      return;
    }
    if (isDevice(text)) this.critical ??= `It would overwrite the device ${text}`;
    if (/^\/dev\/(tcp|udp)\//.test(text)) this.doubts.add('It reaches the network (/dev/tcp).');
    if (/^(>&|<&)$/.test(operator) && /^(\d+|-)$/.test(text)) return;
    if (text === '/dev/null') return;
    if (!/^(<|>|>>|>\||&>|&>>|>&)$/.test(operator)) this.doubts.add(`It redirects by ${operator}.`);
    const paths = pathsFrom(places, word);
    if (!paths) this.doubts.add('Where it redirects to cannot be told.');
    this.touches.push(
      ...(paths ?? [text]).map((path) => ({ op: operator === '<' ? ('read' as const) : ('write' as const), path })),
    );
  }

  private command(node: SyntaxNode, places: Places, depth: number): After {
    const sources: SyntaxNode[] = [];
    for (const child of node.children) {
      const isName = child.type === 'command_name';
      // An expansion is a word too, though nobody knows which.
      if (child.isNamed && !/_redirect$|^variable_assignment$/.test(child.type)) sources.push(child);
      if (isName) this.inside(child, places, depth);
      else if (child.isNamed) this.visit(child, places, depth);
    }
    if (sources.some((one, at) => at > 0 && one.start === sources[at - 1]?.end))
      this.doubts.add('Its words cannot be told apart.');
    return this.simple(
      sources.map((one) => wordOf(this.slice(one))),
      sources,
      this.slice(node),
      places,
      depth,
    );
  }

  private simple(
    words: readonly Word[],
    sources: readonly SyntaxNode[],
    text: string,
    places: Places,
    depth: number,
  ): After {
    const stay: After = { success: places, any: places };
    const plain = sources.map((one) => bare(this.slice(one)));
    this.critical ??= criticalIn(plain);
    if (words.some((word) => word.text === undefined)) {
      const literal = words.every((word, at) => at > 0 || word.text !== undefined);
      const texts = literal ? plain : [];
      this.add(
        { text, words: [], readsOnly: false, onlyExact: 'its words are not written out', risks: risksOf(texts) },
        texts,
      );
      this.follow(words, depth, places);
      return stay;
    }
    const { words: program, wrappers } = unwrap(words);
    const texts = program.map((word) => word.text ?? '');
    const known = texts[0] === 'cd' ? undefined : readsOf(program);
    const found = known && touchedFrom(places, [...known, ...globsBeside(known, program)], program);
    const reads = found?.filter(({ inRepository }) => !inRepository);
    const shows = found?.filter(({ inRepository }) => inRepository) ?? [];
    const isElsewhere = texts[0] === 'git' && places.some((place) => !this.repositories.includes(place));
    const cd = texts[0] === 'cd' ? folderOf(program, places) : undefined;
    const readsOnly = !wrappers.includes('nohup') && !isElsewhere && (cd !== undefined || reads !== undefined);
    if (wrappers.includes('nohup') || /^(nohup|disown|setsid)$/.test(texts[0] ?? '')) this.leavesRunning = true;
    const onlyExact = readsOnly
      ? undefined
      : isElsewhere
        ? 'git runs what another folder sets up'
        : onlyExactReason(texts);
    this.add(
      {
        text,
        words: texts,
        readsOnly,
        ...(shows.length > 0 ? { shows } : {}),
        ...(onlyExact === undefined ? {} : { onlyExact }),
        risks: readsOnly ? [] : risksOf(texts),
      },
      texts,
    );
    const touched = (cd?.touched ?? reads ?? []).filter((one) => !(this.hasInput && one.isWithoutInput));
    if (readsOnly) this.touches.push(...touched);
    else this.changes(texts, program, places);
    if (!readsOnly) this.follow(program, depth, places);
    if (texts[0] === 'echo' || texts[0] === 'printf') this.fed.push(texts.slice(1).join(' ').replaceAll('\\n', '\n'));
    if (!cd) return stay;
    const any = union(places, cd.places);
    // A program of that name succeeds and moves nothing.
    return { success: wrappers.length > 0 ? any : cd.places, any };
  }

  private add(command: SimpleCommand, texts: readonly string[]): void {
    this.commands.push(command);
    this.deeds.push(...deedsOf(texts));
  }

  private changes(texts: readonly string[], words: readonly Word[], places: Places): void {
    const { touches, doubts, scripts, recipes, unbound } = changesAt(texts, words, places);
    this.touches.push(...touches);
    this.scripts.push(...scripts);
    this.recipes.push(...recipes);
    for (const one of doubts) this.doubts.add(one);
    for (const one of unbound) this.unbound.add(one);
  }

  /** What a program is told to run, for the rules that deny. */
  private follow(words: readonly Word[], depth: number, places: Places): void {
    if (depth >= DEPTH_MAX) return;
    const { words: programs, scripts } = inner(words);
    for (const program of programs) {
      const texts = program.map((word) => word.text ?? '');
      this.critical ??= criticalIn(texts);
      this.add(
        {
          text: texts.join(' '),
          words: texts,
          readsOnly: false,
          onlyExact: 'another program runs it',
          risks: risksOf(texts),
        },
        texts,
      );
      this.changes(texts, program, places);
      this.follow(program, depth + 1, places);
    }
    for (const script of scripts) if (script.trim() !== '') this.read(script, depth + 1);
  }

  private slice({ start, end }: SyntaxNode): string {
    return this.text.slice(start, end);
  }
}
