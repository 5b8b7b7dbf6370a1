import { element } from '../ui/element.ts'
import { colour, font, radius, shadow, space, type, withMotion } from '../ui/theme.ts'
import type { Choice } from './consent-choice.ts'

const QUESTION = 'May we use Google Analytics to see which pages help? Nothing is sent before you agree.'
const CHOSEN_TEXTS: Record<Choice, string> = {
  granted: 'Analytics is on.',
  refused: 'Analytics is off.',
}

// Both answers look alike, so that neither is the easier one.
const STYLE = `
#consent{position:fixed;z-index:40;left:${space.base};bottom:calc(var(--bar) + ${space.base});width:24rem;max-width:calc(100vw - 2 * ${space.base});
padding:${space.base};border:1px solid ${colour.line};border-radius:${radius.card};background:${colour.sheet};box-shadow:${shadow.floating};
color:${colour.ink};font:${type.small}/1.45 ${font.text}}
#consent p{margin:0 0 ${space.snug}}
#consent a{color:${colour.accent}}
#consent div{display:grid;grid-template-columns:1fr 1fr;gap:${space.tight}}
#consent button{min-height:2.75rem;padding:${space.tight};border:1px solid ${colour.ink};border-radius:${radius.control};
background:${colour.sheet};color:${colour.ink};font:600 ${type.small}/1.2 ${font.text};cursor:pointer}
#consent button:hover{background:${colour.sunk}}
#consent button:focus-visible{outline:3px solid ${colour.accent};outline-offset:2px}
@media (max-width:47.99rem){#consent{padding:${space.snug}}}
${withMotion}{#consent{animation:consent .25s ease-out}@keyframes consent{from{opacity:0;transform:translateY(.5rem)}}}`

/** Asks for consent next to the page's content, without covering it, by two buttons of equal weight. */
export const askConsent = (current: Choice | undefined, onChoice: (choice: Choice) => void) => {
  const answer = (choice: Choice, text: string) =>
    element('button', {
      type: 'button',
      textContent: text,
      onclick: () => {
        bar.remove()
        onChoice(choice)
      },
    })
  const bar = element(
    'section',
    { id: 'consent', ariaLabel: 'Counting visits' },
    element('style', { textContent: STYLE }),
    element(
      'p',
      {},
      `${current ? CHOSEN_TEXTS[current] : QUESTION} `,
      element('a', { href: '/privacy', textContent: 'Privacy' }),
    ),
    element('div', {}, answer('refused', 'No, thanks'), answer('granted', 'Allow')),
  )
  document.body.append(bar)
}
