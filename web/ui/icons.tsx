import type { ReactNode } from 'react'

const Icon = ({ children }: { children: ReactNode }) => (
  <svg
    width="1.25em"
    height="1.25em"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    css={{ flex: 'none' }}
  >
    {children}
  </svg>
)

export const PhoneIcon = () => (
  <Icon>
    <path d="M5 4h4l1.5 5-2.3 1.6a12 12 0 0 0 5.2 5.2L15 13.5l5 1.5v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z" />
  </Icon>
)

export const MailIcon = () => (
  <Icon>
    <rect x="3" y="5" width="18" height="14" rx="2" />
    <path d="m4 7 8 6 8-6" />
  </Icon>
)

export const ShieldIcon = () => (
  <Icon>
    <path d="M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6z" />
  </Icon>
)

export const ChatIcon = () => (
  <Icon>
    <path d="M4 5h16v11H10l-4.5 4v-4H4z" />
  </Icon>
)

/** A speech bubble with a handset: the sign for a WhatsApp message. */
export const WhatsAppIcon = () => (
  <Icon>
    <path d="M4 20l1.3-4.1A8 8 0 1 1 8.4 19z" />
    <path d="M9 9.3c.3 2.7 2.7 5.1 5.5 5.5l1.2-1.5-1.9-1-1 .8a5 5 0 0 1-2-2l.8-1-1-1.9z" />
  </Icon>
)

export const CheckIcon = () => (
  <Icon>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
)

export const ListIcon = () => (
  <Icon>
    <path d="M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01" />
  </Icon>
)

export const CloseIcon = () => (
  <Icon>
    <path d="M6 6l12 12M18 6 6 18" />
  </Icon>
)

export const MinimiseIcon = () => (
  <Icon>
    <path d="M5 18h14" />
  </Icon>
)

export const MenuIcon = () => (
  <Icon>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </Icon>
)

export const SendIcon = () => (
  <Icon>
    <path d="M4 12 20 4l-5 16-3.5-6.5z" />
  </Icon>
)

export const PaperclipIcon = () => (
  <Icon>
    <path d="m19.5 11.5-7.6 7.6a4.6 4.6 0 0 1-6.5-6.5l7.9-7.9a3.1 3.1 0 0 1 4.4 4.4l-7.8 7.8a1.5 1.5 0 0 1-2.2-2.2l7-7" />
  </Icon>
)

export const ImageIcon = () => (
  <Icon>
    <rect x="4" y="5" width="16" height="14" rx="1.5" />
    <path d="m4.5 16.5 4.5-4.5 3.5 3.5 2.5-2.5 4.5 4.5M15.5 9.5h.01" />
  </Icon>
)

export const DocumentIcon = () => (
  <Icon>
    <path d="M6 3.5h8l4.5 4.5v12.5H6z" />
    <path d="M13.5 3.5V8.5h5M9 13h6M9 16.5h6" />
  </Icon>
)

export const CalendarIcon = () => (
  <Icon>
    <rect x="4" y="5.5" width="16" height="14.5" rx="2" />
    <path d="M4 10h16M8.5 3.5v4M15.5 3.5v4" />
  </Icon>
)

/** Next to the time of return. */
export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5l3.2 2" />
  </Icon>
)

export const QuickReplyIcon = () => (
  <Icon>
    <path d="M13 3 5 13.5h6L10 21l9-11h-6.5z" />
  </Icon>
)

export const SoundIcon = () => (
  <Icon>
    <path d="M4 9.5h3.5L12 5.5v13l-4.5-4H4z" />
    <path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11" />
  </Icon>
)

export const BellIcon = () => (
  <Icon>
    <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15z" />
    <path d="M10 20.5h4" />
  </Icon>
)

export const KeyboardIcon = () => (
  <Icon>
    <rect x="3" y="6" width="18" height="12" rx="2" />
    <path d="M7 10h.01M11 10h.01M15 10h.01M8 14h8" />
  </Icon>
)

export const BackIcon = () => (
  <Icon>
    <path d="m14.5 5-7 7 7 7" />
  </Icon>
)

export const ForwardIcon = () => (
  <Icon>
    <path d="m9.5 5 7 7-7 7" />
  </Icon>
)

export const WarningIcon = () => (
  <Icon>
    <path d="M12 4 2.5 20h19z" />
    <path d="M12 10v4.5M12 17.2v.1" />
  </Icon>
)

export const SearchIcon = () => (
  <Icon>
    <circle cx="10.5" cy="10.5" r="6" />
    <path d="m15 15 5 5" />
  </Icon>
)

export const EditIcon = () => (
  <Icon>
    <path d="M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3" />
  </Icon>
)

export const ChartIcon = () => (
  <Icon>
    <path d="M4 20h16M7 20v-7M12 20V5M17 20v-10" />
  </Icon>
)

export const SettingsIcon = () => (
  <Icon>
    <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
    <circle cx="15" cy="7" r="2" />
    <circle cx="9" cy="17" r="2" />
  </Icon>
)

export const SignOutIcon = () => (
  <Icon>
    <path d="M10 4.5H5v15h5M15 8l4 4-4 4M9.5 12H19" />
  </Icon>
)

export const CopyIcon = () => (
  <Icon>
    <path d="M9 9h11v11H9zM15 9V4H4v11h5" />
  </Icon>
)

/** The sun of the logo over a line: there is nothing to do. */
export const SunIcon = () => (
  <Icon>
    <path d="M3 18h18M7 18a5 5 0 0 1 10 0M12 6v3M4.5 9.5l2 2M19.5 9.5l-2 2" />
  </Icon>
)

export const MoreIcon = () => (
  <Icon>
    <path d="M5.5 12h.01M12 12h.01M18.5 12h.01" strokeWidth="2.5" />
  </Icon>
)
