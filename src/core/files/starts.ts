// Where a search begins that names no place: in a workspace of several folders everywhere, since the model cannot know in which one to look.
import { contains } from './names';
import { locatePath, resolvePath, type PathContext, type ResolvedPath } from './paths';

/** One, or the folders of the workspace that lie in no other. */
export async function searchStarts(
  path: string | undefined,
  ctx: PathContext,
): Promise<readonly ResolvedPath[] | { readonly objection: string }> {
  const { roots, platform } = ctx.host;
  const all = roots();
  if (path === undefined && all.length > 1 && all.some((root) => root.path === ctx.cwd())) {
    const isInner = (at: number) =>
      all.some((other, index) => index !== at && contains(other.path, all[at]?.path ?? '', platform));
    return Promise.all(all.filter((_, at) => !isInner(at)).map((root) => locatePath(root.path, ctx.host)));
  }
  const resolved = await resolvePath(path ?? '.', ctx);
  return 'objection' in resolved ? resolved : [resolved];
}
