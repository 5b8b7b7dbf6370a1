import type { ChatGreeting } from '../../../events/settings/chat-greetings.ts'
import { greetingOver } from './greeting-over.ts'

// Only pages with a greeting get this script: it waits, and loads the rest then.

const greeting: ChatGreeting = JSON.parse(
  document.querySelector<HTMLElement>('script[data-greeting]')?.dataset.greeting ?? 'null',
)
if (greeting && !greetingOver.read()) {
  setTimeout(
    () => import('./greeting-bubble.ts').then(({ greet }) => greet(greeting)).catch(() => {}),
    greeting.afterSeconds * 1000,
  )
}
