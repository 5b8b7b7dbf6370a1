import { useEffect } from 'react'
import { agency } from '../../content/agency.ts'

let screen = ''
/** What waits, by what it is. */
const waiting = { chats: 0, leads: 0 }

const show = () => {
  const count = waiting.chats + waiting.leads
  document.title = `${count > 0 ? `(${count}) ` : ''}${screen} | ${agency().name}`
}

/** Names a staff screen in the browser's tab and its history. */
export const useTitle = (title: string) => {
  useEffect(() => {
    screen = title
    show()
  }, [title])
}

/**
 * Shows in front of whatever title how many chats wait for staff, and how many leads are new to them; undefined leaves that
 * to another who knows better.
 */
export const useTitleCount = (of: keyof typeof waiting, count: number | undefined) => {
  useEffect(() => {
    if (count === undefined) return
    waiting[of] = count
    if (screen !== '') show()
  }, [of, count])
}
