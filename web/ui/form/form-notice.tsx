import { colour, type } from '../theme.ts'

/** Says at a form what is collected and why, and where more stands. */
export const FormNotice = ({ children }: { children: string }) => (
  <p css={{ color: colour.soft, fontSize: type.small, lineHeight: 1.45 }}>
    {children} <a href="/privacy">Privacy</a>
  </p>
)
