import { colour, type } from '../theme.ts'
import { Unbroken } from '../unbroken.tsx'

/** States at a form which data is collected and why, with a link to more. */
export const DataNote = ({ children }: { children: string }) => (
  <p css={{ color: colour.soft, fontSize: type.small, lineHeight: 1.45 }}>
    <Unbroken>{children}</Unbroken> <a href="/privacy">Privacy</a>
  </p>
)
