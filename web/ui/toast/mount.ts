import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster } from './toaster.tsx'

/** The element of a public page that holds the toasts. */
export const TOASTER_ID = 'notices'

/** Mounts the toasts on a public page, whose islands have no common root. */
export const mountToaster = () => {
  if (document.getElementById(TOASTER_ID)) return
  const holder = document.body.appendChild(document.createElement('div'))
  holder.id = TOASTER_ID
  createRoot(holder).render(createElement(Toaster))
}
