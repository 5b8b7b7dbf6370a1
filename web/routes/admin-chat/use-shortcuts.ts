import { useEffect, useRef } from 'react'
import type { Console } from '../../chat/console/console.ts'
import { neighbourChat, nextUnread } from '../../chat/console/console-state.ts'
import { type Command, onCommand } from './shortcuts.ts'
import type { useAssigning } from './use-assigning.ts'
import type { useChosenChat } from './use-chosen-chat.ts'

type CommandTargets = {
  chat: Console
  chosen: ReturnType<typeof useChosenChat>
  assigning: ReturnType<typeof useAssigning>
  /** Whether the shown chat is active. */
  isActive: boolean
  onEnd: () => void
  onHelp: () => void
  /** Announces a text to screen readers. */
  announce: (text: string) => void
}

/** Moves the focus in the list of chats from the row that has it, or else from the shown chat's. */
const focusRow = (step: 1 | -1) => {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-session]')]
  const focused = rows.indexOf(document.activeElement as HTMLElement)
  const at = focused < 0 ? rows.findIndex((row) => row.ariaPressed === 'true') : focused
  rows[Math.max(0, Math.min(at + step, rows.length - 1))]?.focus()
}

export const useShortcuts = ({ chat, chosen, assigning, isActive, onEnd, onHelp, announce }: CommandTargets) => {
  const act = (command: Command) => {
    // a key may come before the console knows the chosen chat
    const shown = { ...chat.store.get(), selected: chosen.sessionId }
    switch (command) {
      case 'next':
        return chosen.choose(neighbourChat(shown, 1) ?? chosen.sessionId)
      case 'previous':
        return chosen.choose(neighbourChat(shown, -1) ?? chosen.sessionId)
      case 'next-unread': {
        const unread = nextUnread(shown)
        announce(unread ? '' : 'No other unread chats')
        return unread && chosen.choose(unread)
      }
      case 'answer':
        return document.getElementById('answer')?.focus()
      case 'take':
        return isActive && assigning.take()
      case 'hand-over':
        return isActive && assigning.openHandover()
      case 'show-all':
        return chosen.filterBy('all')
      case 'show-mine':
        return chosen.filterBy('mine')
      case 'show-unassigned':
        return chosen.filterBy('unassigned')
      case 'next-row':
        return focusRow(1)
      case 'previous-row':
        return focusRow(-1)
      case 'end':
        return isActive && shown.isConnected && onEnd()
      case 'help':
        return onHelp()
      default:
        return command satisfies never
    }
  }
  const latest = useRef(act)
  latest.current = act
  useEffect(() => onCommand((command) => latest.current(command)), [])
}
