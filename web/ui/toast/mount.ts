import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster } from './toaster.tsx'

let mounted = false

/** Puts the notification region into a public page, whose islands have no common root to hold it. */
export const mountToaster = () => {
  if (mounted) return
  mounted = true
  const holder = document.body.appendChild(document.createElement('div'))
  createRoot(holder).render(createElement(Toaster))
}
