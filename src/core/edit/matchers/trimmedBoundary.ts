// Matcher: the same lines between other edges: blank lines around them, or the indentation of the first one [E7].
import { trimBlanks } from '../fold';
import { blockPlace, type Matcher } from '../matcher';
import { hasSameBlanks, isLineForLine, pairsOf } from '../pairs';

export const trimmedBoundary: Matcher = {
  name: 'trimmedBoundary',
  find: (search) =>
    search
      .alignments()
      .filter((alignment) => isLineForLine(alignment) && hasSameBlanks(alignment, 'without edges'))
      .filter((alignment) =>
        pairsOf(search, alignment).every(({ old, file }, at) =>
          at === 0 ? trimBlanks(old) === trimBlanks(file) : old.trimEnd() === file.trimEnd(),
        ),
      )
      .map((alignment) => blockPlace(search, alignment)),
};
