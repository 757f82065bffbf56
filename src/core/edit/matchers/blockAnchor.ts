// Matcher: a block whose lines all agree but one, and that one has a slip of the pen within one name [E3].
import { driftedPlaces } from '../drifted';
import type { Matcher } from '../matcher';
import { isSlip } from '../slip';

export const blockAnchor: Matcher = {
  name: 'blockAnchor',
  find(search) {
    const { old } = search.block();
    const { lf } = search.file.view;
    return driftedPlaces(search, { maxLines: 1, isSame: (line, file) => isSlip(old[line] ?? '', file, lf) });
  },
};
