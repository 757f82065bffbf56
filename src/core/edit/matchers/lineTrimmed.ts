// Matcher: whole lines, equal but for blanks at their ends [E2].
import { agree, blockPlace, type Matcher } from '../matcher';
import { hasSameBlanks, isLineForLine } from '../pairs';

export const lineTrimmed: Matcher = {
  name: 'lineTrimmed',
  find: (search) =>
    search
      .alignments()
      .filter((alignment) => isLineForLine(alignment) && hasSameBlanks(alignment, 'with edges'))
      .filter((alignment) => agree(search, alignment, (line) => line.trimEnd()))
      .map((alignment) => blockPlace(search, alignment)),
};
