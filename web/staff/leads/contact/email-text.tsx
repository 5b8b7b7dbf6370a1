import { Fragment } from 'react'

/** Splits an address after each place at which it may break. */
const PARTS = /([^@.]*[@.])/

/** An email address that, if it does not fit on one line, breaks after its "@" or a "." rather than within a word. */
export const EmailText = ({ email }: { email: string }) =>
  email
    .split(PARTS)
    .filter(Boolean)
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address have no other name
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))
