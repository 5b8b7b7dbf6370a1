import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Toaster } from './toaster.tsx'
import { currentToast, dismissToast, toast } from './toasts.ts'

const say = (title: string) => act(() => toast({ title, variant: 'destructive' }))
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const noticeOf = (title: string) => screen.getByText(title).closest('[role=alert] > *') as HTMLElement

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})

afterEach(() => act(() => dismissToast(currentToast()?.id ?? 0)))

test('One toast shows at a time, and goes after 5 s', () => {
  say('First')
  say('Second')
  expect(screen.queryByText('First')).toBeNull()
  pass(4_900)
  screen.getByText('Second')
  pass(200)
  expect(screen.queryByText('Second')).toBeNull()
})

test('A toast that offers what is done later stays until another one comes', () => {
  act(() => toast({ title: 'Lasting', stays: true }))
  pass(60_000)
  screen.getByText('Lasting')
  say('Other')
  expect(screen.queryByText('Lasting')).toBeNull()
})

test('A toast stays while somebody points at it or has the focus in it', () => {
  say('Stays')
  fireEvent.pointerEnter(noticeOf('Stays'))
  pass(10_000)
  fireEvent.pointerLeave(noticeOf('Stays'))
  fireEvent.focus(screen.getByLabelText('Dismiss'))
  pass(10_000)
  fireEvent.blur(screen.getByLabelText('Dismiss'))
  pass(4_900)
  screen.getByText('Stays')
  pass(200)
  expect(screen.queryByText('Stays')).toBeNull()
})

test('A swipe to the right beyond 50 px dismisses a toast, a shorter one does not', () => {
  say('Swiped')
  const swipe = (pixels: number) => {
    const notice = noticeOf('Swiped')
    fireEvent.pointerDown(notice, { clientX: 40 })
    fireEvent.pointerMove(notice, { clientX: 40 + pixels })
    fireEvent.pointerUp(notice, { clientX: 40 + pixels })
  }
  swipe(45)
  screen.getByText('Swiped')
  swipe(70)
  expect(screen.queryByText('Swiped')).toBeNull()
})

test('F8 focuses the notifications', () => {
  fireEvent.keyDown(document.body, { key: 'F8' })
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Notifications (F8)')
})

test('A toast that goes by its own button returns the focus to where it was before', () => {
  const opener = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => opener.remove())
  opener.focus()
  act(() => toast({ title: 'Changed', action: { label: 'Undo', run: () => toast({ title: 'Undone' }) } }))
  fireEvent.keyDown(document.body, { key: 'F8' })
  const undo = screen.getByText('Undo')
  act(() => undo.focus())
  fireEvent.click(undo)
  screen.getByText('Undone')
  expect(document.activeElement).toBe(opener)
})
