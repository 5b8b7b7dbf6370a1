import { useEffect } from 'react'
import { agency } from '../../content/agency.ts'

let screen = ''
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
 * Shows in front of any title how many chats wait for staff, and how many leads are new to them; undefined leaves the
 * count to another component that knows better.
 */
export const useTitleCount = (of: keyof typeof waiting, count: number | undefined) => {
  useEffect(() => {
    if (count === undefined) return
    waiting[of] = count
    if (screen !== '') show()
  }, [of, count])
}
