import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Phrases that the vocabulary (events/README.md) replaces, wherever people read them. */
const PHRASES =
  /\b(somebody|someone|nobody|anybody|whoever|meanwhile|any more|at hand|as far as|goes on|go on|went on|comes of|came of|told|tells|telling)\b/i

/** Beginnings of a comment that hide its subject. */
const BEGINNINGS = /(?:^|[.:;] )(?:Answers (?!from|within|for|to\b)|What |Whose |Whom |Where (?!a |the ))/

const files = globSync('{api,events,web,worker}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', 'web/dist/**', 'web/samples/**', '**/testing/**', '**/*.{test,bench,smoke}.*'],
})

const withoutQuotes = (text: string) => text.replace(/`[^`]*`|"[^"]*"/g, '')

/** The comments of a source text, each in one line and without what it quotes. */
const commentsOf = (text: string) =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm)].map(([comment]) =>
    withoutQuotes(comment.replace(/\s*\n\s*\*? ?/g, ' ').replace(/^\s*\/(?:\*+|\/)\s*|\s*\*\/$/g, '')),
  )

/** The sentences in a source text that people read: strings and texts of elements with at least three words. */
const sentencesOf = (text: string) =>
  [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/'((?:[^'\\\n]|\\.)*)'|>([^<>{}=;]*)</g)]
    .map(([, string = '', child = '']) => string || child.trim())
    .filter((sentence) => /^[A-Z][^`]* \S+ \S/.test(sentence))

/** A text of the specification. */
const SPECIFIED = 'Thanks for reaching out! Someone from our team will be with you shortly.'

/** Copy of the public pages, in the words of visitors. */
const isCopy = (file: string) => /^web\/(content|routes\/(?!admin-|login)|routes\.tsx)/.test(file)

const offences = (read: (text: string) => string[], isWrong: (text: string) => boolean, wanted = files) =>
  wanted.flatMap((file) =>
    read(readFileSync(join(ROOT, file), 'utf8'))
      .filter(isWrong)
      .map((text) => `${file}: ${text.slice(0, 160)}`),
  )

test('comments use the words of the vocabulary', () => {
  expect(offences(commentsOf, (comment) => PHRASES.test(comment) || BEGINNINGS.test(comment))).toEqual([])
})

test('texts on screens and of the API use them too', () => {
  const screens = files.filter((file) => !isCopy(file.replaceAll('\\', '/')) && !file.startsWith('events/local'))
  expect(offences(sentencesOf, (sentence) => PHRASES.test(sentence) && sentence !== SPECIFIED, screens)).toEqual([])
})
