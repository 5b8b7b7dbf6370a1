import { useEffect } from 'react'
import { agency } from '../content/agency.ts'

let screen = ''
let waiting = 0

const show = () => {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${screen} | ${agency().name}`
}

/** Names a staff screen in the browser's tab and its history. */
export const useTitle = (title: string) => {
  useEffect(() => {
    screen = title
    show()
  }, [title])
}

/** Shows in front of whatever title how much waits for somebody; undefined leaves that to another who knows better. */
export const useTitleCount = (count: number | undefined) => {
  useEffect(() => {
    if (count === undefined) return
    waiting = count
    if (screen !== '') show()
  }, [count])
}
