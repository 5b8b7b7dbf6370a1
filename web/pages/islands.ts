import { type ComponentType, createElement, type ReactNode, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'

/** Every island by name, each in a chunk of its own, so that the menu does not wait for the forms. */
const islands = {
  'hero-form': async () => (await import('../routes/home/hero-form.tsx')).HeroForm,
  'quote-form': async () => (await import('../routes/home/quote-form.tsx')).QuoteForm,
  'contract-form': async () => (await import('../routes/contract/contract-form.tsx')).ContractForm,
  activation: async () => (await import('../routes/test-form/activation.tsx')).Activation,
  'website-info': async () => (await import('../routes/website-info/questionnaire.tsx')).Questionnaire,
  menu: async () => (await import('../ui/menu.tsx')).Menu,
  chat: async () => (await import('../chat/widget/widget.tsx')).ChatWidget,
}

export type IslandName = keyof typeof islands

export type IslandProps<Name extends IslandName> =
  Awaited<ReturnType<(typeof islands)[Name]>> extends ComponentType<infer Props> ? Props : never

const Alive = ({ onAlive, children }: { onAlive: () => void; children?: ReactNode }) => {
  useEffect(onAlive, [onAlive])
  return children
}

/** Hydrates an island; resolves once its handlers are attached. Typed text stays. */
export const hydrate = async (element: HTMLElement): Promise<void> => {
  const { island, props } = element.dataset
  const Component = (await islands[island as IslandName]()) as ComponentType<object>
  await new Promise<void>((onAlive) => {
    hydrateRoot(element, createElement(Alive, { onAlive }, createElement(Component, JSON.parse(props ?? '{}'))))
  })
}

/** Loads the code of every island of the page, while the browser has nothing else to do. */
export const prefetch = (names: string[]) => Promise.all(names.map((name) => islands[name as IslandName]()))
