import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster } from './toaster.tsx'

/** What holds the notification region of a public page. */
export const TOASTER_ID = 'notices'

/** Puts the notification region into a public page, whose islands have no common root to hold it. */
export const mountToaster = () => {
  if (document.getElementById(TOASTER_ID)) return
  const holder = document.body.appendChild(document.createElement('div'))
  holder.id = TOASTER_ID
  createRoot(holder).render(createElement(Toaster))
}
