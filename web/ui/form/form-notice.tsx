import { colour, type } from '../theme.ts'
import { Unbroken } from '../unbroken.tsx'

/** Says at a form what is collected and why, and where to read more. */
export const FormNotice = ({ children }: { children: string }) => (
  <p css={{ color: colour.soft, fontSize: type.small, lineHeight: 1.45 }}>
    <Unbroken>{children}</Unbroken> <a href="/privacy">Privacy</a>
  </p>
)
