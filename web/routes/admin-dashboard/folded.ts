import { onPhone } from '../../ui/theme.ts'

/** Folds away on a phone, whose first screen is for the leads, until somebody asks for it by `Filters` or `Files`. */
export const folded = (isUnfolded: boolean) => ({ [onPhone]: isUnfolded ? {} : { display: 'none' } })
