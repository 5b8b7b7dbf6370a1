import { onPhone } from '../../ui/theme.ts'

/** Hidden on a phone, whose first screen is for the leads, until `Filters` or `Files` is pressed. */
export const folded = (isUnfolded: boolean) => ({ [onPhone]: isUnfolded ? {} : { display: 'none' } })
