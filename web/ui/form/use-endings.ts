import { useCallback, useState } from 'react'
import type * as Endings from './endings.tsx'

/**
 * How a form ends: the code for it is fetched once somebody fills the form in, so that opening a page does not cost it.
 * `endings` is undefined until it is there.
 */
export const useEndings = () => {
  const [endings, setEndings] = useState<typeof Endings>()
  const loadEndings = useCallback(() => {
    // what is there already is not fetched again
    import('./endings.tsx').then(setEndings, () => {})
  }, [])
  return { endings, loadEndings }
}
