import { useEffect } from 'react'
import { agency } from '../content/agency.ts'

/** Names a staff screen in the browser's tab and its history. */
export const useTitle = (title: string) => {
  useEffect(() => {
    document.title = `${title} | ${agency().name}`
  }, [title])
}
