import { periodInWords, type Retention } from '../../events/settings/retention.ts'

type Section = { title: string; text?: string; points?: readonly string[] }

/** The privacy page by section: paragraphs, or points for lists. The periods are the ones by which data is erased. */
export const privacySections = (periods: Retention): readonly Section[] => [
  {
    title: 'What we collect, and why',
    points: [
      'Consultation, quote and contract forms: your name, phone number and email address, your business and what you write to us. We need them to answer you, to prepare a quote and to carry out a contract.',
      'A signed contract also: your internet address, the kind of browser you use, and when you opened the page and ticked the box. They show that it was you who signed. The signed copy holds them too.',
      'The questionnaire: what you tell us about your business. We use it to plan, write and build your website.',
      'Live chat: the name, and the email address or phone number, that you give, the page you are on, the kind of browser you use, and the messages. We use them to answer you, and to pick up where you left off.',
      'How you found us: the page on which you filled in a form, the website that led you to us and the campaign it names. It tells us which advertising works.',
    ],
  },
  {
    title: 'What stays on your device',
    points: [
      'How you came to this website the first and the last time: the campaign, the website that linked here and the page you opened. We receive it when you submit a form.',
      'What you have typed into a form, so you don’t lose your answers. It is deleted when you send the form, at the latest when you close the tab; the draft of the questionnaire stays until you send or discard it.',
      'The reference of your last request, the private link to a signed contract, and the business name, phone number and email in it for the questionnaire, until you close the tab.',
      'Your chat, and the token that reopens it: until a day after the chat has ended, or until you choose “Delete from this device” in it, at the latest 30 days after its last message.',
      'What you choose in the preview of your own website, until you close the tab. The forms begin with it.',
      'Your answer, if we asked whether we may count your visits.',
      'Visitors get no cookies from us. If we count visits with an analytics service, it is loaded, and sets its own cookies, only after you agree. You can change your answer on this page.',
    ],
  },
  {
    title: 'Who sees it',
    text: 'Our own staff. Contracts are also sent to our inbox through an email service. We never sell or share your data for advertising.',
  },
  {
    title: 'How long we keep it',
    points: [
      `Requests and questionnaires: ${periodInWords(periods, 'leadMonths')} after our last contact with you.`,
      `Chats, with their files: ${periodInWords(periods, 'chatMonths')} after the last message.`,
      `Contracts, with their signed copies: ${periodInWords(periods, 'contractYears')} after the contract has ended, because tax law asks for the records of a sale.`,
      `Requests that look like spam: ${periodInWords(periods, 'spamDays')}.`,
      `A copy of your data that you asked for: ${periodInWords(periods, 'exportDays')}.`,
    ],
  },
  {
    title: 'Your rights',
    text: 'Under the Protection of Personal Information Act (POPIA) you may ask us what we hold about you, and have it corrected or deleted. You may also object to our using it. Write to the address below and say which of these you want: you get a reply within 30 days, and it costs nothing. We may ask for proof that it is you. If our reply does not satisfy you, you can complain to the Information Regulator of South Africa.',
  },
]
