import { Fragment } from 'react'

/** A word with a hyphen inside, such as e-mail or once-off, and what is written onto it. */
const HYPHENATED = /(\S*\w-\w\S*)/

/** A text whose words with hyphens stay on one line. */
export const Unbroken = ({ children }: { children: string }) =>
  children.split(HYPHENATED).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's words have no other name
      <span key={index} css={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    ) : (
      part && (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text's words have no other name
        <Fragment key={index}>{part}</Fragment>
      )
    ),
  )
