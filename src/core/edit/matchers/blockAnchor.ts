// Matcher: a block whose lines all agree but one, and that one has a slip of the pen within one name [E3].
import { driftedPlaces } from '../drifted';
import type { Matcher } from '../matcher';
import { isSlip } from '../slip';

export const blockAnchor: Matcher = {
  name: 'blockAnchor',
  find: (search) =>
    driftedPlaces(search, { maxLines: 1, isSame: (old, file) => isSlip(old, file, search.file.view.lf) }),
};
