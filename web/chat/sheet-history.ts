import { useEffect } from 'react'
import { isSheet } from './sheet.tsx'
import { isSheetEntry, SHEET_ENTRY } from './sheet-entry.ts'
import { showChat } from './visitor.ts'
import { visitorChat } from './visitor-chat.ts'

const isExpandedNow = () => visitorChat.get().view === 'expanded'

const enterSheet = () => history.pushState({ ...history.state, [SHEET_ENTRY]: true }, '')

/** While the browser is on its way back from the entry of a sheet that was closed by other means. */
let isLeaving = false

/** The way back from the sheet's entry closes the sheet, and the way forward to it opens it. */
const follow = () => {
  if (isLeaving) {
    isLeaving = false
    // opened again in the meantime
    if (isExpandedNow() && isSheet()) enterSheet()
  } else if (isSheetEntry()) showChat('expanded')
  else if (isExpandedNow() && isSheet()) showChat('closed')
}

/** Gives an open sheet an entry in the browser's history, so that Back closes the sheet and stays on the page. */
export const useSheetHistory = (isExpanded: boolean) => {
  useEffect(() => {
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  useEffect(() => {
    if (!isExpanded || !isSheet()) return
    if (!isSheetEntry()) enterSheet()
    return () => {
      if (isLeaving || !isSheetEntry()) return
      isLeaving = true
      history.back()
    }
  }, [isExpanded])
}
