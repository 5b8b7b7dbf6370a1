import type { ChatGreeting } from '../../../events/settings/chat-greetings.ts'
import { backAt } from '../../../events/settings/support-time.ts'
import { serverNow } from '../../client/server-time.ts'
import { loadSupportHours } from '../../client/support-hours.ts'
import { element } from '../../ui/element.ts'
import { colour, font, radius, shadow, space, type, withBar, withMotion } from '../../ui/theme.ts'
import { greetingOver } from './greeting-over.ts'
import { hasStoredChat } from './storage-key.ts'

/** How often the page is checked for something in the way. */
const LOOK_EVERY_MS = 1_000
const SMALL = '(max-width: 47.99rem)'

/** Next to the chat button; on a small window, above the bar that holds it. */
const STYLE = `
#greeting{position:fixed;z-index:44;right:calc(${space.base} + 4.25rem);bottom:calc(var(--bar) + ${space.base});display:flex;
align-items:start;max-width:min(19rem,100vw - 2rem);border:1px solid ${colour.line};border-radius:${radius.card};
background:${colour.sheet};box-shadow:${shadow.floating};color:${colour.ink};font:${type.small}/1.45 ${font.text}}
#greeting button{min-height:2.75rem;border:0;border-radius:${radius.card};background:none;color:inherit;font:inherit;cursor:pointer}
#greeting [data-opens-chat]{padding:${space.snug} 0 ${space.snug} ${space.base};text-align:left;overflow-wrap:anywhere}
#greeting b{display:block;margin-top:${space.hair};color:${colour.accent};font-weight:600}
#greeting [data-closes]{flex:none;width:2.75rem;font-size:1.25rem;line-height:1;color:${colour.soft}}
#greeting button:hover{color:${colour.accentDeep}}
#greeting button:focus-visible{outline:3px solid ${colour.accent};outline-offset:-3px}
${withBar}{#greeting{right:${space.base}}}
@media print{#greeting{display:none}}
${withMotion}{#greeting{animation:greeting .25s ease-out}@keyframes greeting{from{opacity:0;transform:translateY(.5rem)}}}`

/** Something else has the visitor's attention: a dialog, the chat, an open menu, a form, or the question of consent. */
const isInTheWay = () =>
  document.hidden ||
  document.querySelector(
    'dialog[open],[role=dialog],[aria-label="Live chat"],header [aria-expanded=true],main form :focus',
  ) !== null ||
  (matchMedia(SMALL).matches && document.getElementById('consent') !== null)

const isSupportOpen = async () => {
  const hours = await loadSupportHours()
  // only now: the response has set the server's time
  return !backAt(serverNow(), hours)
}

/** Shows the greeting until the visitor closes it or opens the chat. */
const show = (text: string) => {
  const watching = new AbortController()
  const { signal } = watching
  const end = () => {
    watching.abort()
    bubble.remove()
    greetingOver.keep(true)
  }
  const say = element('button', { type: 'button', dir: 'auto' }, text, element('b', { textContent: 'Chat with us' }))
  say.dataset.opensChat = ''
  // as it closes, the focus returns to the chat button
  say.addEventListener('click', () => say.blur())
  const close = element('button', {
    type: 'button',
    ariaLabel: 'Close message',
    textContent: '×',
    onclick: () => {
      end()
      document.querySelector<HTMLElement>('[data-island=chat] button')?.focus()
    },
  })
  close.dataset.closes = ''
  const bubble = element('aside', { id: 'greeting', ariaLabel: 'Message from our team', ariaLive: 'polite' })
  bubble.append(element('style', { textContent: STYLE }))
  bubble.addEventListener('keydown', ({ key }) => key === 'Escape' && close.click())
  document.body.append(bubble)
  // content added to a live region is read out, content that it starts with is not
  requestAnimationFrame(() => bubble.append(say, close))
  addEventListener(
    'open-chat',
    () => {
      document.body.dataset.greeting = text
      end()
    },
    { signal },
  )
  addEventListener(
    'click',
    ({ target }) => {
      if ((target as Element).closest('[data-island=chat]')) end()
    },
    { signal, capture: true },
  )
}

/** Shows a page's greeting as soon as nothing is in the way; never to a visitor who chats or has closed one. */
export const greet = async ({ text, isAnyTime }: ChatGreeting) => {
  if (!isAnyTime && !(await isSupportOpen())) return
  const look = () => {
    if (hasStoredChat() || greetingOver.read()) return
    if (isInTheWay()) setTimeout(look, LOOK_EVERY_MS)
    else show(text)
  }
  look()
}
